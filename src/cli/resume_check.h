// Identifies a translation job by everything that its output depends on, so that an interrupted one
// is resumed only by the same job.
#pragma once

#include "tfm/core/resumable_file.h"
#include "tfm/model/model.h"
#include "translate_options.h"

namespace tfm {

/// The fingerprint of the input, the models and the options. The models are loaded and have their
/// decoding options set. Reads all files once.
JobFingerprint job_fingerprint(const TranslateOptions& options, const std::vector<Model>& models);

/// Throws ConfigError if --resume is given without the options that it needs, or with options that
/// can't be resumed.
void check_resume(const TranslateOptions& options);

}  // namespace tfm
