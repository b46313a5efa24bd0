// The device and the number of threads that a command computes with.
#pragma once

#include <cstdint>
#include <string>

namespace tfm {

struct RuntimeOptions {
  std::string device = "auto";
  std::int64_t threads = 0;
};

}  // namespace tfm
