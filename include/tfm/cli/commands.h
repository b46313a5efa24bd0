// The commands, one source file each. Each returns its exit code and throws the errors of
// core/error.h.
#pragma once

#include "tfm/cli/options.h"

namespace tfm {

int train_command(const TrainOptions& options);
int launch_command(const LaunchOptions& options);
int translate_command(const TranslateOptions& options);
int score_command(const ScoreOptions& options);
int evaluate_command(const EvaluateOptions& options);
int report_command(const ReportOptions& options);
int average_command(const AverageOptions& options);
int shortlist_command(const ShortlistOptions& options);
int export_command(const ExportOptions& options);
int import_command(const ImportOptions& options);
int model_info_command(const ModelOptions& options);
int config_command(const ConfigOptions& options);

}  // namespace tfm
