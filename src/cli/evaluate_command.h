// `tfm evaluate`: computes BLEU and chrF2 of a model or of existing translations.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report_format.h"
#include "runtime_options.h"
#include "tfm/help/command.h"
#include "tfm/metrics/bleu.h"
#include "tfm/metrics/bootstrap.h"
#include "tfm/metrics/chrf.h"

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
  BleuOptions bleu;
  ChrfOptions chrf;
  BootstrapOptions bootstrap;
  std::vector<std::string> decoding;  ///< "decoding.key=value"
  RuntimeOptions runtime;
};

int run_evaluate(const EvaluateOptions& options);
Command evaluate_command(Run<EvaluateOptions> run = run_evaluate);

}  // namespace tfm
