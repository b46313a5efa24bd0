#include "tfm/pages/page_time.h"

#include <fmt/chrono.h>

#include <ctime>

namespace tfm {

std::string page_time_now() {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
}

}  // namespace tfm
