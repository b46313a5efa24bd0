#include "tfm/optim/moving_average.h"

#include <cmath>

#include "optim/tensor_list_ops.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

constexpr const char* prefix = "average.";
constexpr const char* updates_name = "average_updates";

}  // namespace

ExponentialMovingAverage::ExponentialMovingAverage(double decay, const torch::nn::Module& module)
    : decay_(decay), updates_(torch::zeros({}, torch::kInt64)) {
  for (const auto& item : module.named_parameters()) {
    names_.push_back(item.key());
    parameters_.push_back(item.value());
    means_.push_back(torch::zeros_like(item.value().detach()));
  }
}

void ExponentialMovingAverage::update() {
  const torch::NoGradGuard no_grad;
  updates_ += 1;
  // The share of the newest weights in the average is 1 for the first update.
  const double share = (1 - decay_) / (1 - std::pow(decay_, updates_.item<double>()));
  interpolate(means_, parameters_, share);
}

StateDict ExponentialMovingAverage::state() const {
  StateDict state{{updates_name, updates_}};
  for (std::size_t i = 0; i < names_.size(); ++i) state[prefix + names_[i]] = means_[i];
  return state;
}

void ExponentialMovingAverage::load_state(const StateDict& saved,
                                          const std::filesystem::path& source_file) {
  const torch::NoGradGuard no_grad;
  if (!saved.contains(updates_name)) {
    log_warn("{} has no moving average of the weights: averaging starts with the next update",
             source_file.string());
    // The average is reset, because after a rollback it may contain diverged weights.
    for (auto& [name, tensor] : state()) tensor.zero_();
    return;
  }
  for (auto& [name, tensor] : state()) {
    const auto found = saved.find(name);
    if (found == saved.end() || found->second.sizes() != tensor.sizes()) {
      throw ModelError(source_file.string(), "has no matching '" + name + "'",
                       "Resume from another checkpoint, or set training.ema_decay to 0.");
    }
    tensor.copy_(found->second);
  }
}

void ExponentialMovingAverage::swap() {
  if (updates_.item<int64_t>() == 0) return;
  for (std::size_t i = 0; i < means_.size(); ++i) {
    const auto weights = parameters_[i].tensor_data();
    parameters_[i].set_data(means_[i]);
    means_[i] = weights;
  }
}

}  // namespace tfm
