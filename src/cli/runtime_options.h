// The device on which a command computes, and its number of CPU threads.
#pragma once

#include <cstdint>
#include <string>

namespace tfm {

struct RuntimeOptions {
  std::string device = "auto";
  std::int64_t threads = 0;  ///< 0 means all cores
};

}  // namespace tfm
