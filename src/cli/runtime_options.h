// Defines the options that select the device and the number of CPU threads of a command.
#pragma once

#include <cstdint>
#include <string>

namespace tfm {

struct RuntimeOptions {
  std::string device = "auto";
  std::int64_t threads = 0;  ///< 0 means all cores
};

}  // namespace tfm
