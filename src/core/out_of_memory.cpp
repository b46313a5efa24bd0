#include "tfm/core/out_of_memory.h"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

namespace tfm {

bool is_out_of_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  constexpr std::array<std::string_view, 5> signs{"can't allocate memory", "not enough memory",
                                                  "out of memory", "out_of_memory", "ALLOC_FAILED"};
  const std::string_view what = error.what();
  return std::any_of(signs.begin(), signs.end(),
                     [&](std::string_view sign) { return what.find(sign) != what.npos; });
}

}  // namespace tfm
