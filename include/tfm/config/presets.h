// Named model sizes. "tiny" is the Transformer for small data of Wu et al. 2021 (4 + 4 layers,
// hidden size 128, feed-forward size 256, 4 heads). "base" and "big" are the models of Vaswani et
// al. 2017, table 3.
#pragma once

#include "tfm/config/config.h"

namespace tfm {

/// Sets the model fields that a preset defines: encoder_layers, decoder_layers, hidden_size, heads,
/// transformer_ff, dropout and tied_embeddings. Preset::none leaves the model unchanged.
void apply_preset(Preset preset, ModelConfig& model);

}  // namespace tfm
