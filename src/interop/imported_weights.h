// The tensors of another toolkit's model, taken one by one under the names that they have there.
// Each must be there and of the shape that the configuration asks for, and in the end none may be
// left over: what has no place here would be missing from the model.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "tfm/tensor/safetensors.h"

namespace tfm {

class ImportedWeights {
 public:
  ImportedWeights(StateDict tensors, std::filesystem::path origin)
      : tensors_(std::move(tensors)), origin_(std::move(origin)) {}

  bool has(const std::string& name) const { return tensors_.contains(name); }

  /// As fp32 of this shape; -1: any extent; a leading extent of 1 more than asked for is dropped
  /// ([1, D] is [D]). Throws ModelError.
  torch::Tensor take(const std::string& name, const std::vector<int64_t>& shape);

  /// What is there and not wanted: copies of a tied matrix, for example.
  void leave(const std::string& name) { taken_.insert(name); }

  /// Throws ModelError naming every tensor that was neither taken nor left.
  void check_all_consumed() const;

  const std::filesystem::path& origin() const { return origin_; }

 private:
  StateDict tensors_;
  std::filesystem::path origin_;
  std::set<std::string> taken_;
};

}  // namespace tfm
