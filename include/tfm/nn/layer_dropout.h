// LayerDrop (Fan et al. 2020, "Reducing Transformer Depth on Demand with Structured Dropout",
// section 3): training skips each layer with some probability. Nothing is rescaled, and evaluation
// uses every layer.
#pragma once

namespace tfm {

/// Returns true with probability p, which means that the layer should be skipped. Always returns
/// false outside training. Draws from the CPU's global generator, but only in training and if p is
/// not 0.
bool should_drop_layer(double p, bool training);

}  // namespace tfm
