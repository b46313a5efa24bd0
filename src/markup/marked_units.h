// Text as the units that markup stands between: a word without the punctuation before and after it,
// the punctuation before it, and that after it; each further divided where a mark stands inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tfm/markup/markup.h"

namespace tfm {

struct Unit {
  enum class Role { before, core, after };
  std::size_t begin = 0;  ///< bytes
  std::size_t end = 0;
  std::size_t word = 0;  ///< between white space
  Role role = Role::core;
};

/// marks: may be empty; their places in order.
std::vector<Unit> units_of(std::string_view text, std::span<const MarkupToken> marks);

inline constexpr std::int64_t unaligned = -1;

struct MarkedUnits {
  std::string_view text;
  const std::vector<Unit>& units;
  std::vector<std::int64_t> depth;  ///< by how many elements each is covered
};

struct AlignedUnits {
  std::vector<Unit> units;
  /// of each the unit of the source that it stands for, or unaligned
  std::vector<std::int64_t> source;
};

/// The units of a translation. source_of: as MarkedText::restore has it. Where marks divide a word
/// of the source, its most marked unit stands for the whole, unless the word stayed as it was: then
/// its translation is divided at the same places.
AlignedUnits align_units(const MarkedUnits& source, std::string_view translation,
                         std::span<const std::int64_t> source_of);

}  // namespace tfm
