#include "tfm/markup/html_pieces.h"
#include "tfm/markup/markup.h"
#include "tfm/serve/service.h"
#include "tfm/translate/translator.h"

namespace tfm {

std::vector<Engine::Lane> make_lanes(const Translator& translator) {
  const auto translate = [&translator](const std::vector<std::string>& lines, bool keep_markup) {
    TranslationRequest request;
    request.keep_markup = keep_markup;
    std::vector<LineCandidates> results;
    for (const auto& translation : translator.translate(lines, request)) {
      auto& candidates = results.emplace_back();
      for (const auto& candidate : translation.candidates) candidates.push_back(candidate.text);
    }
    return results;
  };
  const auto translate_text = [translate](const std::vector<std::string>& lines) {
    return translate(lines, false);
  };
  const auto translate_html = [translate](const std::vector<std::string>& lines) {
    auto results = translate(lines, true);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (has_html(lines[i])) continue;  // its translation is escaped
      for (auto& text : results[i]) text = escape_html(text);
    }
    return results;
  };
  return {translate_text, translate_html};
}

}  // namespace tfm
