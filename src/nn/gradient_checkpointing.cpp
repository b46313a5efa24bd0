#include "tfm/nn/gradient_checkpointing.h"

#include <torch/autograd.h>

#include <utility>

#include "tfm/tensor/random_state.h"

namespace tfm {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Everything that the backward pass needs to compute a layer again, except the layer's inputs.
struct Recomputation : torch::CustomClassHolder {
  LayerFunction run;
  std::vector<Tensor> parameters;
  RandomState random_state;

  /// Returns run(inputs), with the random numbers of the forward pass.
  Tensor repeat(const std::vector<Tensor>& inputs) {
    const torch::AutoGradMode with_gradient(true);
    const RandomStateGuard same_random_numbers(random_state, inputs.front().device());
    return run(inputs);
  }
};

class Checkpoint : public torch::autograd::Function<Checkpoint> {
 public:
  static Tensor forward(AutogradContext* context, at::TensorList inputs, at::TensorList parameters,
                        LayerFunction run) {
    auto recomputation = c10::make_intrusive<Recomputation>();
    recomputation->parameters = parameters.vec();
    recomputation->random_state = RandomState::now(inputs.front().device());
    recomputation->run = std::move(run);
    context->save_for_backward(inputs.vec());
    auto output = recomputation->run(inputs.vec());
    context->saved_data["recomputation"] = at::IValue::make_capsule(std::move(recomputation));
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto holder = context->saved_data["recomputation"].toCapsule();
    auto& recomputation = static_cast<Recomputation&>(*holder);
    std::vector<Tensor> inputs;
    variable_list needed;
    for (const auto& saved : context->get_saved_variables()) {
      inputs.push_back(saved.detach().requires_grad_(context->needs_input_grad(inputs.size())));
      if (inputs.back().requires_grad()) needed.push_back(inputs.back());
    }
    for (const auto& parameter : recomputation.parameters) {
      if (parameter.requires_grad()) needed.push_back(parameter);
    }
    // Gradients are returned rather than accumulated here. Autograd then adds the gradient of each
    // parameter and calls its hooks exactly once, even if the layer was used several times.
    auto found = torch::autograd::grad({recomputation.repeat(inputs)}, needed, gradients,
                                       /*retain_graph=*/false, /*create_graph=*/false,
                                       /*allow_unused=*/true);
    auto next = found.begin();
    variable_list result;
    for (const auto& input : inputs)
      result.push_back(input.requires_grad() ? std::move(*next++) : Tensor());
    for (const auto& parameter : recomputation.parameters)
      result.push_back(parameter.requires_grad() ? std::move(*next++) : Tensor());
    result.emplace_back();  // run has no gradient
    return result;
  }
};

}  // namespace

Tensor gradient_checkpoint(const std::vector<Tensor>& inputs, const std::vector<Tensor>& parameters,
                           LayerFunction run) {
  if (!torch::GradMode::is_enabled()) return run(inputs);
  return Checkpoint::apply(at::TensorList(inputs), at::TensorList(parameters), std::move(run));
}

}  // namespace tfm
