// Defines the texts from which a run's fingerprints are computed. A run saves a checksum of each
// text and of the data that belongs to it, and compares the checksums when it is resumed. The text
// of a config that an earlier version could read must therefore never change: a field that is added
// to the texts is omitted if it has its default value.
#pragma once

#include <string>

#include "tfm/config/config.h"

namespace tfm {

/// Returns the values of the fields that decide which examples a batch contains
/// (Effect::batch_content). If this text changes, a saved position in the training data becomes
/// invalid.
std::string batch_content_text(const Config& config);

/// Returns the values of the fields on which the score of training.best_by depends (Effect::score,
/// or Effect::loss_score if it is the loss). If this text changes, earlier scores cannot be
/// compared with later ones. If training.bleu_tokenizer is `auto`, the caller must first replace it
/// with the tokenizer that is used.
std::string metric_text(const Config& config);

}  // namespace tfm
