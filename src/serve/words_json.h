// The words of translations as JSON: the source words of each line, and for each translation its
// words with their probabilities and the source words that they are aligned to.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "tfm/translate/aligned_word.h"
#include "translate_request.h"

namespace tfm {

/// Returns [{"text", "probability", "source"}]; source is null for a word without alignment.
nlohmann::json words_json(const std::vector<AlignedWord>& words);

/// Returns an entry for each line of a text: {"source", "translations", "segments"}. There are
/// `translations` lists of words, of which the first belongs to the best translation of the text.
nlohmann::json words_json(const std::vector<TranslatedLine>& lines, std::size_t translations);

}  // namespace tfm
