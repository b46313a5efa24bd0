// Splits text into the units that markup tokens can separate. A word has up to three units: the
// leading punctuation, the core, and the trailing punctuation. Each unit is split further at the
// markup tokens inside it.
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
  std::size_t begin = 0;  ///< byte offset in the text
  std::size_t end = 0;
  std::size_t word = 0;  ///< index of the whitespace-separated word
  Role role = Role::core;
};

/// Splits the text into units. `marks` are in the order of their positions and may be empty.
std::vector<Unit> split_units(std::string_view text, std::span<const MarkupToken> marks);

inline constexpr std::int64_t unaligned = -1;

struct MarkedUnits {
  std::string_view text;
  const std::vector<Unit>& units;
  std::vector<std::int64_t> depth;  ///< for each unit, the number of elements that cover it
};

struct AlignedUnits {
  std::vector<Unit> units;
  /// for each unit, the index of the source unit that it translates, or `unaligned`
  std::vector<std::int64_t> source;
};

/// Splits a translation into units and aligns them with the units of the source. `source_of` is the
/// argument of MarkedText::restore. If markup splits the aligned word of the source into several
/// units, the translated word is aligned with the most deeply nested one. The exception is a word
/// that is unchanged in the translation: it is split at the same places as in the source.
AlignedUnits align_units(const MarkedUnits& source, std::string_view translation,
                         std::span<const std::int64_t> source_of);

}  // namespace tfm
