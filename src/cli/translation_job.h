// Identifies a translation job by everything that its output depends on, so that only the same job
// resumes an interrupted translation.
#pragma once

#include "tfm/core/resumable_file.h"
#include "tfm/model/model.h"
#include "translate_options.h"

namespace tfm {

/// Returns the fingerprint of the version, the input, the models, the options and the device. The
/// decoding options must already be set in the config of the first model. Reads every file in full
/// to compute its checksum.
JobFingerprint job_fingerprint(const TranslateOptions& options, const std::vector<Model>& models);

/// Throws ConfigError if --resume is given without the options that it needs, with an input that
/// can't be read again, or with --attention.
void check_resume_options(const TranslateOptions& options);

}  // namespace tfm
