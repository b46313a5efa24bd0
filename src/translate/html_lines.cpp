#include "tfm/translate/html_lines.h"

#include "tfm/markup/html_pieces.h"
#include "tfm/markup/markup.h"

namespace tfm {

std::vector<Translation> translate_html_lines(const Translator& translator,
                                              const std::vector<std::string>& lines,
                                              TranslationRequest request) {
  request.keep_markup = true;
  auto translations = translator.translate(lines, request);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (has_html(lines[i])) continue;  // its translation is escaped
    for (auto& candidate : translations[i].candidates) candidate.text = escape_html(candidate.text);
  }
  return translations;
}

}  // namespace tfm
