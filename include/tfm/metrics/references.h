// The reference translations of a test set.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// One or more texts with the same number of lines, each a translation of the whole test set.
using References = std::vector<std::vector<std::string>>;

/// Returns line `index` of each reference, as views.
inline std::vector<std::string_view> references_of_line(const References& references,
                                                        std::size_t index) {
  std::vector<std::string_view> lines;
  for (const auto& text : references) lines.emplace_back(text[index]);
  return lines;
}

}  // namespace tfm
