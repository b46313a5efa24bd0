#include "imported_weights.h"

#include "tfm/core/error.h"

namespace tfm {
namespace {

bool fits(at::IntArrayRef found, const std::vector<int64_t>& wanted) {
  if (found.size() != wanted.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] >= 0 && found[i] != wanted[i]) return false;
  }
  return true;
}

}  // namespace

torch::Tensor ImportedWeights::consume(const std::string& name, const std::vector<int64_t>& shape) {
  const auto found = tensors_.find(name);
  if (found == tensors_.end())
    throw ModelError(origin_.string(), "holds no tensor '" + name + "'",
                     "Its configuration requires this tensor.");
  consumed_.insert(name);
  auto tensor = found->second;
  if (tensor.dim() == static_cast<int64_t>(shape.size()) + 1 && tensor.size(0) == 1)
    tensor = tensor.squeeze(0);
  if (!fits(tensor.sizes(), shape)) {
    throw ModelError(origin_.string(),
                     c10::str("tensor '", name, "' is ", tensor.sizes(),
                              " but its configuration requires ", at::IntArrayRef(shape)));
  }
  if (!tensor.is_floating_point()) {
    throw ModelError(origin_.string(),
                     c10::str("tensor '", name, "' has type ", tensor.scalar_type(),
                              ", which is not a floating-point type"),
                     "Import a model with weights in fp32, fp16 or bf16.");
  }
  return tensor.to(torch::kFloat32).contiguous();
}

void ImportedWeights::check_all_consumed() const {
  std::string left;
  for (const auto& [name, tensor] : tensors_) {
    if (!consumed_.contains(name)) left += "\n  " + name;
  }
  if (!left.empty())
    throw ModelError(origin_.string(), "holds tensors that tfm's model has no place for:" + left,
                     "Models with such tensors cannot be imported.");
}

}  // namespace tfm
