// `tfm translate`: lines in, their translations out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command.h"
#include "runtime_options.h"

namespace tfm {

enum class OutputFormat { automatic, text, marian, jsonl };

struct TranslateOptions {
  /// empty: $TFM_MODEL or the newest run; several: they translate together
  std::vector<std::filesystem::path> models;
  std::vector<std::string> texts;
  std::filesystem::path input;
  std::filesystem::path prefixes;  ///< line i: how the translation of line i begins
  std::filesystem::path phrases;   ///< line i: what it contains, separated by tabs
  std::filesystem::path output;
  bool go_on = false;  ///< with `output` where an earlier session was stopped
  OutputFormat format = OutputFormat::automatic;
  bool alignment = false;
  /// each token with its probability and what else could have stood there
  bool explain = false;
  std::filesystem::path attention;    ///< .html, .svg or .json; empty: not wanted
  std::vector<std::string> decoding;  ///< "decoding.key=value"
  RuntimeOptions runtime;
};

int run_translate(const TranslateOptions& options);
Command translate_command(Run<TranslateOptions> run = run_translate);

}  // namespace tfm
