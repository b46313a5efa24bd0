#include "tfm/nn/ops/lanes.h"

#include <ATen/Version.h>

#include <string>

namespace tfm {

int64_t lanes_of_processor() {
  static const int64_t lanes = [] {
    const std::string capability = at::get_cpu_capability();
    if (capability == "AVX512") return 16;
    return capability == "AVX2" ? 8 : 4;
  }();
  return lanes;
}

}  // namespace tfm
