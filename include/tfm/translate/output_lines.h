// Formats the translation of a line and the score of a pair as programs exchange them: as text, in
// Marian's format and as JSON Lines. Line numbers start at 0 in Marian's format, as in Marian, and
// at 1 in JSON, as in messages.
#pragma once

#include <cstdint>
#include <string>

#include "tfm/translate/scorer.h"
#include "tfm/translate/translation.h"

namespace tfm {

/// Returns the text of the candidate. If `alignment` is true, " ||| " and the word alignment
/// follow, as in Marian's output.
std::string text_line(const Candidate& candidate, bool alignment);

/// Returns a line of Marian's n-best format, "0 ||| text ||| F0= -3.2 ||| -0.46": the line number
/// from 0, the result of text_line, the log-probability and the score.
std::string marian_line(std::int64_t line, const Candidate& candidate, bool alignment);

/// Returns the JSON object of a line with all candidates. `line` counts from 0, but the object's
/// field "line" counts from 1.
std::string translation_json(std::int64_t line, const std::string& source,
                             const Translation& translation, bool alignment);

/// Returns the JSON object of a pair with its score, to which the log-probability may have been
/// normalised. `line` counts from 0, but the object's field "line" counts from 1.
std::string score_json(std::int64_t line, const PairScore& score, double value);

}  // namespace tfm
