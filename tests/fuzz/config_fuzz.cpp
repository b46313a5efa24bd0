// Checks that any text gives a ConfigError, or a config that stays the same when it is written and
// read again.
#include <cstdlib>
#include <string_view>

#include "tfm/config/config_file.h"
#include "tfm/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto written = tfm::write_config(
        tfm::parse_config({reinterpret_cast<const char*>(data), size}, "fuzz.yaml"));
    if (tfm::write_config(tfm::parse_config(written, "written.yaml")) != written) std::abort();
  } catch (const tfm::ConfigError&) {
  }
  return 0;
}
