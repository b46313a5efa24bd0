// Continues a translation in several ways: finds the most probable next words after a segment's
// prefix, and for each of them the best translation that begins with the prefix and that word.
// CTranslate2 calls this "alternatives at a position".
#pragma once

#include <vector>

#include "segment_search.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

/// Returns up to request.next_words hypotheses per segment, which differ in the word after the
/// segment's prefix; the most probable word first. Returns the best hypothesis of a segment whose
/// prefix no word can follow. With sampling, the text after the word's first token is a sample.
SearchResult search_next_words(const SegmentSearch& search, const std::vector<Segment>& segments,
                               const TranslationRequest& request, const Tokenizer& target);

}  // namespace tfm
