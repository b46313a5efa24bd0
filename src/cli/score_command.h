// `tfm score`: prints the log-probabilities of existing translations.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runtime_options.h"
#include "tfm/help/command.h"

namespace tfm {

enum class ScoreFormat { text, jsonl };

struct ScoreOptions {
  std::vector<std::filesystem::path> models;
  std::filesystem::path source;
  std::filesystem::path target;
  std::filesystem::path pairs;  ///< TSV file, instead of source and target
  std::filesystem::path output;
  ScoreFormat format = ScoreFormat::text;
  double normalize = 0;               ///< log-probabilities are divided by length^normalize
  std::vector<std::string> decoding;  ///< "decoding.key=value"
  RuntimeOptions runtime;
};

int run_score(const ScoreOptions& options);
Command score_command(Run<ScoreOptions> run = run_score);

}  // namespace tfm
