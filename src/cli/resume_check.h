// What makes a translation the same work as one that was stopped: the input, the models, and every
// option that its output depends on.
#pragma once

#include "tfm/core/resumable_file.h"
#include "tfm/model/model.h"
#include "translate_command.h"

namespace tfm {

/// models: as loaded, with decoding's options set. Reads all files whole once.
JobFingerprint job_fingerprint(const TranslateOptions& options, const std::vector<Model>& models);

/// Throws ConfigError where what --continue needs is not given, or what can't be gone on with is.
void check_continue(const TranslateOptions& options);

}  // namespace tfm
