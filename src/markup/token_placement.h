// Where the marks of a text go in its translation: the tree of elements is kept, each element takes
// one run of the translation's units within its parent's run, and apart from its siblings'.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "marked_units.h"

namespace tfm {

/// A translation's units and the source's marks, in the order in which they are written.
struct Written {
  bool is_mark = false;
  std::size_t index = 0;
};

/// aligned: for each unit of the translation its unit of the source, or unaligned. Every mark and
/// every unit comes exactly once.
std::vector<Written> place_marks(std::span<const MarkupToken> marks,
                                 const std::vector<Unit>& source,
                                 std::span<const std::int64_t> aligned);

/// By how many elements each unit of the source is covered.
std::vector<std::int64_t> depth_of(std::span<const MarkupToken> marks,
                                   const std::vector<Unit>& source);

/// The first unit that begins at a mark's place or after it.
std::size_t unit_after(const std::vector<Unit>& source, const MarkupToken& mark);

}  // namespace tfm
