// The options of `tfm evaluate`.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "report_format.h"
#include "runtime_options.h"
#include "tfm/metrics/comparison.h"

namespace tfm {

struct EvaluateOptions {
  std::vector<std::filesystem::path> models;
  std::filesystem::path source;
  std::vector<std::filesystem::path> references;
  /// files with existing translations, which are scored instead of a model's; if there are several,
  /// the others are compared with the first
  std::vector<std::filesystem::path> hypotheses;
  std::filesystem::path alignment;  ///< gold alignments of source and reference
  std::filesystem::path output;     ///< file for the translations; empty if they are not written
  bool confidence = false;          ///< print confidence intervals even for a single system
  ReportFormat format = ReportFormat::text;
  ComparisonOptions comparison;
  std::vector<std::string> decoding;  ///< "decoding.key=value"
  RuntimeOptions runtime;
};

void add_evaluate_options(CLI::App& app, EvaluateOptions& options);

/// Throws ConfigError if a metric is named twice, or if an option of a metric is given that is not
/// computed.
void check_metrics(const ComparisonOptions& options);

}  // namespace tfm
