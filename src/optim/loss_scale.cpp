#include "tfm/optim/loss_scale.h"

#include <fmt/format.h>

#include "tfm/core/error.h"

namespace tfm {
namespace {

constexpr std::int64_t updates_until_growth = 2000;
// fairseq stops at 1e-4.
constexpr double smallest_scale = 1.0 / 8192;

}  // namespace

void LossScale::record_finite() {
  if (++finite_updates_ < updates_until_growth) return;
  value_ *= 2;
  finite_updates_ = 0;
}

void LossScale::record_overflow() {
  value_ /= 2;
  finite_updates_ = 0;
  if (value_ >= smallest_scale) return;
  throw ModelError(
      "", fmt::format("gradients overflow in fp16, even with a loss scale of {:.1e}", 2 * value_),
      "Set training.precision to bf16 if the GPU has it, otherwise to fp32, or lower "
      "training.learning_rate.");
}

torch::Tensor LossScale::state() const {
  return torch::tensor({static_cast<float>(value_), static_cast<float>(finite_updates_)});
}

void LossScale::load_state(const torch::Tensor& state, const std::filesystem::path& source_file) {
  const auto numbers = state.to(torch::kCPU, torch::kFloat32).contiguous();
  const auto* number = numbers.const_data_ptr<float>();
  if (numbers.numel() != 2 || !(number[0] > 0) || !(number[1] >= 0)) {
    throw ModelError(source_file.string(), "has no valid loss scale",
                     "Resume from another checkpoint.");
  }
  value_ = number[0];
  finite_updates_ = static_cast<std::int64_t>(number[1]);
}

}  // namespace tfm
