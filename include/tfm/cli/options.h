// The command line: every option of every command, and all of CLI11. A command gets a plain struct.
// Options that are config fields (decoding) take their names, ranges and help from the field table.
// `-` and `_` mean the same in option names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tfm/core/log.h"
#include "tfm/metrics/bootstrap.h"
#include "tfm/translate/shortlist.h"

namespace tfm {

struct RuntimeOptions {
  std::string device = "auto";
  std::int64_t threads = 0;
};

struct TrainOptions {
  std::filesystem::path config;
  std::vector<std::string> overrides;  ///< "section.key=value", flags such as --seed included
  bool resume = false;
  bool dry_run = false;
};

struct LaunchOptions {
  int ranks = 0;
  std::vector<std::string> command;  ///< "train" and its arguments
};

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

enum class ScoreFormat { text, jsonl };

struct ScoreOptions {
  std::vector<std::filesystem::path> models;
  std::filesystem::path source;
  std::filesystem::path target;
  std::filesystem::path output;
  ScoreFormat format = ScoreFormat::text;
  double normalize = 0;               ///< log-probabilities are divided by length^this
  std::vector<std::string> decoding;  ///< "decoding.key=value"
  RuntimeOptions runtime;
};

struct EvaluateOptions {
  std::vector<std::filesystem::path> models;
  std::filesystem::path source;
  std::filesystem::path reference;
  /// ready translations: no model is needed; several are compared with the first
  std::vector<std::filesystem::path> hypotheses;
  std::filesystem::path alignment;  ///< true word alignments of source and reference
  std::filesystem::path output;     ///< where the translations go, if anywhere
  bool confidence = false;          ///< intervals, even of a single system
  BootstrapOptions bootstrap;
  std::vector<std::string> decoding;
  RuntimeOptions runtime;
};

struct ReportOptions {
  std::filesystem::path run;
};

struct AverageOptions {
  /// one run folder, or several model folders or checkpoints
  std::vector<std::filesystem::path> folders;
  std::filesystem::path output;  ///< the model folder to make
  std::int64_t last = 0;         ///< of the run's checkpoints, the newest so many
  std::int64_t best = 0;         ///< or those that scored best
};

struct ShortlistOptions {
  std::filesystem::path model;   ///< empty: the default model
  std::filesystem::path source;  ///< empty: the model's own training text
  std::filesystem::path target;
  std::filesystem::path output;  ///< empty: in the model's folder
  ShortlistLimits size;
};

enum class ExportFormat { ctranslate2 };

struct ExportOptions {
  ExportFormat format = ExportFormat::ctranslate2;
  std::filesystem::path model;  ///< empty: the default model
  std::filesystem::path output;
};

enum class ImportFormat { marian, huggingface };

struct ImportOptions {
  ImportFormat format = ImportFormat::marian;
  std::filesystem::path model;  ///< folder, or Marian's .npz
  /// Marian's, the source's first; one: both sides'
  std::vector<std::filesystem::path> vocabularies;
  /// models that divide text into the pieces of the vocabularies; as many
  std::vector<std::filesystem::path> sentencepiece;
  std::filesystem::path output;
};

struct ModelOptions {
  std::filesystem::path folder;  ///< empty: the default model
};

enum class ConfigAction { check, explain, schema };

struct ConfigOptions {
  ConfigAction action = ConfigAction::check;
  std::filesystem::path file;
  std::vector<std::string> overrides;
  std::string key;
};

/// What to call once the command line is understood; each returns the exit code.
struct Commands {
  std::function<int(const TrainOptions&)> train;
  std::function<int(const LaunchOptions&)> launch;
  std::function<int(const TranslateOptions&)> translate;
  std::function<int(const ScoreOptions&)> score;
  std::function<int(const EvaluateOptions&)> evaluate;
  std::function<int(const ReportOptions&)> report;
  std::function<int(const AverageOptions&)> average;
  std::function<int(const ShortlistOptions&)> shortlist;
  std::function<int(const ExportOptions&)> export_model;
  std::function<int(const ImportOptions&)> import_model;
  std::function<int(const ModelOptions&)> model_info;
  std::function<int(const ConfigOptions&)> config;
};

/// Parses argv and runs one command. Returns 2 on a wrong command line, 0 after --help and
/// --version; the commands' errors pass through.
int run_command_line(int argc, const char* const* argv, const Commands& commands);

}  // namespace tfm
