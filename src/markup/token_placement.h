// Places the markup tokens of a text in its translation. The tree of elements is kept: each element
// gets one run of the translation's units, within the run of its parent and separate from the runs
// of its siblings.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "marked_units.h"

namespace tfm {

/// An item of the output: a markup token of the source or a unit of the translation.
struct Written {
  bool is_mark = false;
  std::size_t index = 0;  // index of the markup token or of the unit
};

/// Returns all units of the translation and all markup tokens in output order, each exactly once.
/// `aligned` has, for each unit of the translation, the index of its source unit, or `unaligned`.
std::vector<Written> place_marks(std::span<const MarkupToken> marks,
                                 const std::vector<Unit>& source,
                                 std::span<const std::int64_t> aligned);

/// Returns the number of elements that cover each unit of the source.
std::vector<std::int64_t> element_depths(std::span<const MarkupToken> marks,
                                         const std::vector<Unit>& source);

/// Returns the index of the first unit that begins at or after the position of the markup token.
std::size_t unit_after(const std::vector<Unit>& source, const MarkupToken& mark);

}  // namespace tfm
