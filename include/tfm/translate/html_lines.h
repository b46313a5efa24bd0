// Translates lines of HTML text, such as the segments of a document (documents/document.h) or the
// pieces of a page (markup/html_pieces.h).
#pragma once

#include <string>
#include <vector>

#include "tfm/translate/translator.h"

namespace tfm {

/// Translates with markup kept. In each translation, `&`, `<` and `>` are entities unless they are
/// part of a tag that the line has, also if the line has neither tags nor entities.
std::vector<Translation> translate_html_lines(const Translator& translator,
                                              const std::vector<std::string>& lines,
                                              TranslationRequest request = {});

}  // namespace tfm
