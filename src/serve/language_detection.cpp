#include "tfm/serve/language_detection.h"

#include "tfm/corpus/languages.h"
#include "tfm/text/utf8.h"

namespace tfm {

Detection detect_language(const std::string& text, const std::vector<std::string>& languages) {
  const auto found = identify_language(repair_utf8(text));
  for (const auto& language : languages) {
    if (!found.code.empty() && identified_code(language) == found.code)
      return {language, static_cast<double>(found.percent)};
  }
  return {languages.front(), 0};
}

}  // namespace tfm
