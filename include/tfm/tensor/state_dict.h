// The parameters of a module by their names, as PyTorch's state_dict has them.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tfm/tensor/parameter_summary.h"

namespace tfm {

using StateDict = std::map<std::string, torch::Tensor>;

/// Every parameter of a module by its name, sharing storage.
StateDict state_dict(const torch::nn::Module& module);

/// Copies weights into a module. Throws ModelError naming each missing, surplus or misshapen
/// tensor.
void load_state_dict(torch::nn::Module& module, const StateDict& weights,
                     const std::filesystem::path& origin);

/// The same without a copy, where types agree: the module's parameters lie where `weights` do.
void assign_parameters(torch::nn::Module& module, const StateDict& weights,
                       const std::filesystem::path& origin);

/// The groups of the parameters (parameter_summary.h), the largest first.
std::vector<ParameterGroup> summarize_parameters(const StateDict& parameters);

}  // namespace tfm
