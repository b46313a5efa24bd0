#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "tfm/core/spelling.h"
#include "tfm/data/language_pair.h"
#include "tfm/text/language_codes.h"

namespace tfm {
namespace {

/// The English names of ISO 639-1, for the languages that translation models are common for.
constexpr std::array<std::pair<std::string_view, std::string_view>, 76> language_names{{
    {"af", "Afrikaans"},   {"am", "Amharic"},    {"ar", "Arabic"},
    {"az", "Azerbaijani"}, {"be", "Belarusian"}, {"bg", "Bulgarian"},
    {"bn", "Bengali"},     {"bs", "Bosnian"},    {"ca", "Catalan"},
    {"cs", "Czech"},       {"cy", "Welsh"},      {"da", "Danish"},
    {"de", "German"},      {"el", "Greek"},      {"en", "English"},
    {"eo", "Esperanto"},   {"es", "Spanish"},    {"et", "Estonian"},
    {"eu", "Basque"},      {"fa", "Persian"},    {"fi", "Finnish"},
    {"fr", "French"},      {"fy", "Frisian"},    {"ga", "Irish"},
    {"gl", "Galician"},    {"gu", "Gujarati"},   {"he", "Hebrew"},
    {"hi", "Hindi"},       {"hr", "Croatian"},   {"hu", "Hungarian"},
    {"hy", "Armenian"},    {"id", "Indonesian"}, {"is", "Icelandic"},
    {"it", "Italian"},     {"ja", "Japanese"},   {"ka", "Georgian"},
    {"kk", "Kazakh"},      {"km", "Khmer"},      {"kn", "Kannada"},
    {"ko", "Korean"},      {"ky", "Kyrgyz"},     {"lb", "Luxembourgish"},
    {"lo", "Lao"},         {"lt", "Lithuanian"}, {"lv", "Latvian"},
    {"mg", "Malagasy"},    {"mk", "Macedonian"}, {"ml", "Malayalam"},
    {"mn", "Mongolian"},   {"mr", "Marathi"},    {"ms", "Malay"},
    {"mt", "Maltese"},     {"my", "Burmese"},    {"nb", "Norwegian Bokmål"},
    {"ne", "Nepali"},      {"nl", "Dutch"},      {"no", "Norwegian"},
    {"pa", "Punjabi"},     {"pl", "Polish"},     {"ps", "Pashto"},
    {"pt", "Portuguese"},  {"ro", "Romanian"},   {"ru", "Russian"},
    {"sk", "Slovak"},      {"sl", "Slovenian"},  {"sq", "Albanian"},
    {"sr", "Serbian"},     {"sv", "Swedish"},    {"sw", "Swahili"},
    {"ta", "Tamil"},       {"te", "Telugu"},     {"th", "Thai"},
    {"tr", "Turkish"},     {"uk", "Ukrainian"},  {"ur", "Urdu"},
    {"zh", "Chinese"},
}};

}  // namespace

std::string language_name(std::string_view code) {
  const auto lower = to_lower(std::string(code));
  const std::string_view base = base_language(lower);
  const auto* found = std::ranges::find(language_names, base,
                                        &std::pair<std::string_view, std::string_view>::first);
  if (found == language_names.end()) return std::string(code);
  const bool is_variant = base.size() != code.size();
  return std::string(found->second) +
         (is_variant ? " (" + std::string(code.substr(base.size() + 1)) + ")" : "");
}

}  // namespace tfm
