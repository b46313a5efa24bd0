#include "tfm/nn/layer_dropout.h"

#include <torch/types.h>

namespace tfm {

bool should_drop_layer(double p, bool training) {
  return training && p > 0 && torch::rand({}, torch::kFloat64).item<double>() < p;
}

}  // namespace tfm
