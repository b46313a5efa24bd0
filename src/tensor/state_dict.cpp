#include "tfm/tensor/state_dict.h"

#include <cmath>
#include <set>

#include "tfm/core/error.h"

namespace tfm {

StateDict state_dict(const torch::nn::Module& module) {
  StateDict result;
  for (const auto& item : module.named_parameters()) result[item.key()] = item.value().detach();
  return result;
}

namespace {

/// Calls take(parameter, weight) for each parameter of the module. Throws ModelError if names,
/// shapes or data types do not match.
template <class Take>
void match_parameters(torch::nn::Module& module, const StateDict& weights,
                      const std::filesystem::path& source_file, const Take& take) {
  const torch::NoGradGuard no_grad;
  std::string faults;
  std::set<std::string> wanted;
  for (auto& item : module.named_parameters()) {
    wanted.insert(item.key());
    const auto found = weights.find(item.key());
    if (found == weights.end()) {
      faults += "\n  missing: " + item.key();
    } else if (found->second.sizes() != item.value().sizes()) {
      faults += "\n  " + item.key() + ": " + c10::str(found->second.sizes()) +
                ", but the config requires " + c10::str(item.value().sizes());
    } else if (!found->second.is_floating_point()) {
      faults += "\n  " + item.key() + ": " + torch::toString(found->second.scalar_type()) +
                " instead of a floating-point type";
    } else {
      take(item.value(), found->second);
    }
  }
  for (const auto& [name, tensor] : weights) {
    if (!wanted.contains(name)) faults += "\n  unexpected: " + name;
  }
  if (!faults.empty())
    throw ModelError(source_file.string(), "the weights do not match the model's config:" + faults,
                     "Use the config.yaml that was saved with these weights.");
}

}  // namespace

std::vector<std::string> non_finite_weights(
    const StateDict& weights, const std::function<void(const torch::Tensor&)>& on_checked) {
  std::vector<std::string> names;
  for (const auto& [name, weight] : weights) {
    if (weight.numel() == 0) continue;
    const auto [least, greatest] = torch::aminmax(weight);
    if (!std::isfinite(least.item<double>()) || !std::isfinite(greatest.item<double>()))
      names.push_back(name);
    if (on_checked) on_checked(weight);
  }
  return names;
}

void load_state_dict(torch::nn::Module& module, const StateDict& weights,
                     const std::filesystem::path& source_file) {
  match_parameters(
      module, weights, source_file,
      [](torch::Tensor& parameter, const torch::Tensor& weight) { parameter.copy_(weight); });
}

void assign_parameters(torch::nn::Module& module, const StateDict& weights,
                       const std::filesystem::path& source_file) {
  match_parameters(module, weights, source_file,
                   [](torch::Tensor& parameter, const torch::Tensor& weight) {
                     parameter.set_data(weight.to(parameter.scalar_type()));
                   });
}

}  // namespace tfm
