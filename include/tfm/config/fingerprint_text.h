// The settings that a run's fingerprints are made of, as text. A run saves the checksum of such a
// text and compares it when it is resumed, so a text must never change for a config that an earlier
// version of tfm could read: new fields are left out while they have their defaults.
#pragma once

#include <string>

#include "tfm/config/config.h"

namespace tfm {

/// Fields that decide which examples a batch holds (Effect::batch_content): if one changes, a
/// position in the training data means something else.
std::string batch_content_text(const Config& config);

/// Fields that a validation's score by training.best_by depends on (Effect::score, or
/// Effect::loss_score if that is the loss): if one changes, scores can't be compared.
std::string metric_text(const Config& config);

}  // namespace tfm
