// The fields that decide whether another toolkit can express a model. An export changes the common
// part to what its toolkit can express, and refuses a model whose config differs from that.
#pragma once

#include "tfm/config/config.h"
#include "tfm/config/fields.h"

namespace tfm {

/// Returns the default config with the values of `own` in all fields that the models of Marian and
/// of Transformers (MarianMT, Pegasus) can express, or that only training uses.
Config common_part(const Config& own);

/// Returns whether a model with another value of the field is another model, or has a start of
/// every sentence that the toolkit would not add.
bool concerns_export(const Field& field);

}  // namespace tfm
