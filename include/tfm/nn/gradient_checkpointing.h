// Gradient checkpointing (Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost"): of a
// layer's forward pass only what went in is kept, and the backward pass computes the layer once
// more, with the random numbers that it had. Gradients are those of the layer itself, on the CPU
// bit for bit but for the order in which gradients of an input are added up that is used elsewhere
// too. A stack's memory then grows with its layers' inputs instead of all that they compute; an
// update takes about a third longer.
#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

namespace tfm {

/// What a layer does. It must own whatever it needs besides its inputs (the ForwardContext, for
/// one), as it runs again after the forward pass has ended, and maybe on another thread.
using LayerFunction = std::function<torch::Tensor(const std::vector<torch::Tensor>& inputs)>;

/// run(inputs), with gradients of the inputs and of `parameters`, the leaf tensors that run depends
/// on as well. run must not change its inputs.
torch::Tensor gradient_checkpoint(const std::vector<torch::Tensor>& inputs,
                                  const std::vector<torch::Tensor>& parameters, LayerFunction run);

}  // namespace tfm
