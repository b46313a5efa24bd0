// Scales the loss of training in fp16, whose smallest numbers are too large for many gradients
// (Micikevicius et al. 2018, section 3.2). The scale is as large as gradients allow, by the rules
// and numbers of PyTorch's GradScaler: it is halved after an update whose gradient is not finite,
// and doubled after 2,000 finite updates in a row. All scales are powers of two, so scaling does
// not round.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <filesystem>

namespace tfm {

class LossScale {
 public:
  /// The factor of the loss, and so of all gradients.
  double value() const { return value_; }

  /// Records that an update had a finite gradient.
  void record_finite();
  /// Records that an update was skipped because its gradient was not finite. Throws ModelError if
  /// the scale has become so small that fp16 does not suit the model.
  void record_overflow();

  /// Returns the state for checkpoints, [2] fp32.
  torch::Tensor state() const;
  /// Restores a saved state. source_file is the file of the state, for messages.
  void load_state(const torch::Tensor& state, const std::filesystem::path& source_file);

 private:
  double value_ = 65536;
  std::int64_t finite_updates_ = 0;  // since the scale last changed
};

}  // namespace tfm
