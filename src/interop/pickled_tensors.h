// Finds the tensors in the pickle of a state dict of PyTorch (torch/_utils.py, torch/storage.py). A
// tensor is a call of _rebuild_tensor_v2 with a storage, an offset, sizes and strides. A parameter
// is a call of _rebuild_parameter with a tensor. A storage is a reference to something outside the
// pickle: its type, key and size. Several tensors may share a storage.
#pragma once

#include <torch/types.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "pickle.h"

namespace tfm {

/// Describes a tensor whose elements all lie within its storage. It has no more elements than its
/// storage. Neither the number of its bytes nor that of its storage overflows.
struct PickledTensor {
  torch::ScalarType type = torch::kFloat32;
  std::string_view storage;       ///< its key, which is valid as long as the pickle
  std::int64_t storage_size = 0;  ///< in elements
  std::int64_t offset = 0;        ///< of the first element in the storage, in elements
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;  ///< in elements; as many as `sizes`
};

/// Returns the names of functions and classes that a state dict needs.
const std::set<std::string, std::less<>>& state_dict_names();

/// Returns the tensors of a state dict by name. Throws PickleError, with the name of the tensor, if
/// the dictionary contains anything else, or a tensor that reaches past its storage.
std::map<std::string, PickledTensor> find_tensors(const PickleValue& state_dict);

}  // namespace tfm
