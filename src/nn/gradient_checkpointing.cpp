#include "tfm/nn/gradient_checkpointing.h"

#include <ATen/Context.h>
#include <torch/autograd.h>

#include <mutex>
#include <utility>

#include "tfm/tensor/autocast.h"

namespace tfm {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The state of the generators that dropout draws from: the CPU's, for keys, and the device's own.
class RandomState {
 public:
  static RandomState now(torch::Device device) {
    RandomState state;
    state.take(at::detail::getDefaultCPUGenerator());
    if (!device.is_cpu()) state.take(at::globalContext().defaultGenerator(device));
    return state;
  }

  void restore() {
    for (auto& [generator, state] : states_) {
      const std::lock_guard lock(generator.mutex());
      generator.set_state(state);
    }
  }

 private:
  void take(at::Generator generator) {
    const std::lock_guard lock(generator.mutex());
    auto state = generator.get_state();
    states_.emplace_back(std::move(generator), std::move(state));
  }

  std::vector<std::pair<at::Generator, Tensor>> states_;
};

/// While it lives, random numbers are drawn as from `then`; afterwards as if nothing had been drawn
/// meanwhile.
class DrawnAgain {
 public:
  DrawnAgain(RandomState then, torch::Device device) : present_(RandomState::now(device)) {
    then.restore();
  }
  ~DrawnAgain() { present_.restore(); }
  DrawnAgain(const DrawnAgain&) = delete;
  DrawnAgain& operator=(const DrawnAgain&) = delete;

 private:
  RandomState present_;
};

/// All that the backward pass needs to compute a layer once more, but for its inputs.
struct Recomputation : torch::CustomClassHolder {
  LayerFunction run;
  std::vector<Tensor> parameters;
  RandomState random;
  // a GPU's backward pass runs on another thread, which knows of no Bf16AutocastGuard
  bool bf16 = false;

  /// run(inputs) as it was.
  Tensor repeat(const std::vector<Tensor>& inputs) {
    const torch::AutoGradMode with_gradient(true);
    const Bf16AutocastGuard products(bf16 && !autocast_enabled());
    const DrawnAgain drawn_again(random, inputs.front().device());
    return run(inputs);
  }
};

class Checkpoint : public torch::autograd::Function<Checkpoint> {
 public:
  static Tensor forward(AutogradContext* context, at::TensorList inputs, at::TensorList parameters,
                        LayerFunction run) {
    auto recomputation = c10::make_intrusive<Recomputation>();
    recomputation->parameters = parameters.vec();
    recomputation->random = RandomState::now(inputs.front().device());
    recomputation->bf16 = autocast_enabled();
    recomputation->run = std::move(run);
    context->save_for_backward(inputs.vec());
    auto output = recomputation->run(inputs.vec());
    context->saved_data["recomputation"] = at::IValue::make_capsule(std::move(recomputation));
    return output;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto holder = context->saved_data["recomputation"].toCapsule();
    auto& recomputation = static_cast<Recomputation&>(*holder);
    std::vector<Tensor> inputs;
    variable_list wanted;
    for (const auto& saved : context->get_saved_variables()) {
      inputs.push_back(saved.detach().requires_grad_(context->needs_input_grad(inputs.size())));
      if (inputs.back().requires_grad()) wanted.push_back(inputs.back());
    }
    for (const auto& parameter : recomputation.parameters) {
      if (parameter.requires_grad()) wanted.push_back(parameter);
    }
    // Returned, not added up here: a parameter's gradient must reach it once, whoever waits for
    // that, however often the layer was used.
    auto found = torch::autograd::grad({recomputation.repeat(inputs)}, wanted, gradients,
                                       /*retain_graph=*/false, /*create_graph=*/false,
                                       /*allow_unused=*/true);
    auto next = found.begin();
    variable_list result;
    for (const auto& input : inputs)
      result.push_back(input.requires_grad() ? std::move(*next++) : Tensor());
    for (const auto& parameter : recomputation.parameters)
      result.push_back(parameter.requires_grad() ? std::move(*next++) : Tensor());
    result.emplace_back();  // of run
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
