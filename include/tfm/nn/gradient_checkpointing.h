// Gradient checkpointing (Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost"). The
// forward pass of a layer stores only its inputs. The backward pass computes the layer again, with
// the same random numbers.
// On the CPU, gradients are equal, bit for bit, to those without checkpointing. The exception is an
// input that is also used elsewhere: its gradients may be summed in another order.
// A stack of layers stores only the inputs of its layers instead of all intermediate results. An
// update takes about a third longer.
#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

namespace tfm {

/// The computation of a layer. It must own everything that it needs besides its inputs, such as the
/// ForwardContext, because it runs again after the forward pass, possibly on another thread.
using LayerFunction = std::function<torch::Tensor(const std::vector<torch::Tensor>& inputs)>;

/// Returns run(inputs), with gradients for the inputs and for `parameters`, the other leaf tensors
/// that run depends on. run must not change its inputs.
torch::Tensor gradient_checkpoint(const std::vector<torch::Tensor>& inputs,
                                  const std::vector<torch::Tensor>& parameters, LayerFunction run);

}  // namespace tfm
