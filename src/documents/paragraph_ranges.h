// Marks in a paragraph that belong together: those of a field (its begin, its code, the mark before
// its result, its end), and the begin and end of a bookmark or of a commented text. The translation
// must have them in this order, and around the text that they were around.
#pragma once

#include <vector>

#include "paragraph_items.h"

namespace tfm {

/// Makes the begin of each field, with its code and the mark before its result, one object. A field
/// without a result becomes one object as a whole. Text in the code is not text of the paragraph.
void join_field_codes(std::vector<ParagraphItem>& items);

/// Makes each pair of marks an element, in containers as well. A pair without text becomes an
/// object. Of two pairs that overlap, one becomes an element; a field is never the other.
void pair_ranges(std::vector<ParagraphItem>& items);

/// Returns true if the item is an element that pair_ranges has made.
bool is_range(const ParagraphItem& item);

}  // namespace tfm
