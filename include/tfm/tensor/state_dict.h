// The parameters of a module by name, as in the state_dict of PyTorch.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tfm/tensor/parameter_summary.h"

namespace tfm {

using StateDict = std::map<std::string, torch::Tensor>;

/// Returns every parameter of a module by name. The tensors share storage with the module.
StateDict state_dict(const torch::nn::Module& module);

/// Returns the names of the tensors that contain infinities or NaN. Calls on_checked, if given,
/// with each tensor after its numbers have been read.
std::vector<std::string> non_finite_weights(
    const StateDict& weights, const std::function<void(const torch::Tensor&)>& on_checked = {});

/// Copies weights into a module. Throws ModelError with the name of source_file if tensors are
/// missing, unexpected, of another shape or not of a floating-point type. The message lists all
/// these tensors.
void load_state_dict(torch::nn::Module& module, const StateDict& weights,
                     const std::filesystem::path& source_file);

/// Does the same as load_state_dict without a copy: the parameters of the module share storage with
/// `weights`, except for tensors of another data type, which are converted.
void assign_parameters(torch::nn::Module& module, const StateDict& weights,
                       const std::filesystem::path& source_file);

/// Returns the groups of the parameters (parameter_summary.h), the largest first.
std::vector<ParameterGroup> summarize_parameters(const StateDict& parameters);

}  // namespace tfm
