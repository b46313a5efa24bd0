// The options of `tfm translate`.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime_options.h"

namespace tfm {

enum class OutputFormat { automatic, text, marian, jsonl };

struct TranslateOptions {
  /// empty: $TFM_MODEL or the newest run; several form an ensemble
  std::vector<std::filesystem::path> models;
  std::vector<std::string> texts;
  std::filesystem::path input;
  std::filesystem::path prefixes;  ///< line i is the prefix of translation i
  std::filesystem::path phrases;   ///< line i has the forced phrases of translation i
  std::filesystem::path output;
  bool resume = false;  ///< keep a journal, and resume an interrupted translation
  OutputFormat format = OutputFormat::automatic;
  bool alignment = false;
  bool explain = false;             ///< print the probability and the alternatives of each token
  std::filesystem::path attention;  ///< .html, .svg or .json; empty: not written
  std::filesystem::path decoding_file;  ///< config file whose decoding fields precede `decoding`
  std::vector<std::string> decoding;    ///< "decoding.key=value"
  RuntimeOptions runtime;
};

void add_translate_options(CLI::App& app, TranslateOptions& options);

}  // namespace tfm
