#include "tfm/serve/language_detection.h"

#include <algorithm>
#include <cmath>

#include "tfm/corpus/languages.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// Rounds a share of 1 to a tenth of a percent.
double to_percent(double share) { return std::round(share * 1000) / 10; }

}  // namespace

Detection detect_language(const LanguageIdentifier& known, const std::string& text,
                          const std::vector<std::string>& languages) {
  const auto probable = known.identify(text, languages);
  if (!probable.empty() && probable.front().probability > 0.5)
    return {probable.front().language, to_percent(probable.front().probability)};
  const auto found = identify_language(repair_utf8(text));
  for (const auto& language : languages) {
    if (!found.code.empty() && identified_code(language) == found.code)
      return {language, static_cast<double>(found.percent)};
  }
  const auto first = std::ranges::find(probable, languages.front(), &LanguageProbability::language);
  return {languages.front(), first == probable.end() ? 0 : to_percent(first->probability)};
}

}  // namespace tfm
