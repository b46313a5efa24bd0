// Splits a text into the lines that the engine translates and the parts between them, and joins the
// translations with those parts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/serve/engine.h"
#include "translate_request.h"

namespace tfm {

struct TextPart {
  std::string text;
  bool is_line = false;  ///< false for a part that stays as it is
};

/// Returns the parts, whose concatenation is the text. In plain text, the parts between lines are
/// the line breaks (LF or CR LF).
std::vector<TextPart> split_text(std::string_view text, TextFormat format);

/// Returns the text without its markup, for the detection of its language.
std::string visible_text(const std::vector<TextPart>& parts, TextFormat format);

/// Returns the candidates of a whole text, of which candidate i consists of candidate i of each
/// line, or of the last one of lines that have fewer. `lines` has the translation of each part that
/// is a line.
std::vector<std::string> join_translations(const std::vector<TextPart>& parts,
                                           std::span<const LineTranslation> lines);

}  // namespace tfm
