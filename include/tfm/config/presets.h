// Named model sizes. tiny: the small-data Transformer of Wu et al. 2021 (4+4 layers, 128, 256, 4
// heads). base and big: Vaswani et al. 2017, table 3.
#pragma once

#include "tfm/config/config.h"

namespace tfm {

/// Sets the fields that define a size (layers, hidden_size, heads, transformer_ff, dropout,
/// tied_embeddings); none changes nothing.
void apply_preset(Preset preset, ModelConfig& model);

}  // namespace tfm
