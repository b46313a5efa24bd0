// LayerDrop (Fan et al. 2020, "Reducing Transformer Depth on Demand with Structured Dropout",
// section 3): in training a whole layer is left out with some probability; nothing is rescaled, and
// evaluation uses every layer.
#pragma once

namespace tfm {

/// Whether a layer is left out now: true with probability p in training. Draws from the CPU's
/// global generator; where p is 0 it draws nothing.
bool should_drop_layer(double p, bool training);

}  // namespace tfm
