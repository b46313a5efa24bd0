#include "tfm/serve/language_detection.h"

#include "tfm/corpus/languages.h"
#include "tfm/text/utf8.h"

namespace tfm {

Detection detect_language(const std::string& text, const std::vector<std::string>& sources) {
  const auto found = identify_language(repair_utf8(text));
  for (const auto& source : sources) {
    if (!found.code.empty() && identified_code(source) == found.code)
      return {source, static_cast<double>(found.percent)};
  }
  return {sources.front(), 0};
}

}  // namespace tfm
