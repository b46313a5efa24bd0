// Holds the tensors of another toolkit's model. An import consumes them one by one under that
// toolkit's names. Every required tensor must have the shape that the configuration requires. At
// the end, check_all_consumed ensures that no tensor is left over, because the imported model would
// lack it.
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

  /// Returns the tensor as fp32. In `shape`, -1 matches any size; an extra leading dimension of
  /// size 1 is dropped ([1, D] becomes [D]). Throws ModelError if the tensor is missing, has
  /// another shape or is not of a floating-point type.
  torch::Tensor consume(const std::string& name, const std::vector<int64_t>& shape);

  /// Marks a tensor as not needed, for example a copy of a tied matrix.
  void ignore(const std::string& name) { consumed_.insert(name); }

  /// Throws ModelError with the names of all tensors that were neither consumed nor ignored.
  void check_all_consumed() const;

  const std::filesystem::path& origin() const { return origin_; }

 private:
  StateDict tensors_;
  std::filesystem::path origin_;
  std::set<std::string> consumed_;
};

}  // namespace tfm
