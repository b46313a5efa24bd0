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
  /// model folders, which form an ensemble if there are several; if empty, $TFM_MODEL or the newest
  /// run
  std::vector<std::filesystem::path> models;
  std::vector<std::string> texts;
  std::filesystem::path input;
  std::filesystem::path document;  ///< a document to translate instead of lines
  bool mark_fuzzy = false;         ///< mark the translations that are added to a PO file as fuzzy
  std::filesystem::path prefixes;  ///< file whose line i is the prefix of translation i
  std::filesystem::path phrases;   ///< file whose line i has the forced phrases of translation i
  std::filesystem::path output;
  bool resume = false;  ///< keep a journal, and resume an interrupted translation
  OutputFormat format = OutputFormat::automatic;
  bool alignment = false;
  bool explain = false;             ///< print the probability and the alternatives of each token
  std::filesystem::path attention;  ///< .html, .svg or .json file to write; empty if none
  std::filesystem::path trace;      ///< file for the operations of the first lines; empty for none
  /// config file with decoding fields, which `decoding` overrides; may be empty
  std::filesystem::path decoding_file;
  std::vector<std::string> decoding;  ///< "decoding.key=value"
  RuntimeOptions runtime;
};

void add_translate_options(CLI::App& app, TranslateOptions& options);

}  // namespace tfm
