#include "tfm/corpus/languages.h"

#include <algorithm>
#include <array>
#include <map>

#include "tfm/text/language_codes.h"
#include "tfm/text/words.h"
#if TFM_HAS_CLD2
#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>
#endif

namespace tfm {
namespace {

struct Writing {
  std::vector<Script> scripts;
  std::string_view codes;
};

const std::vector<Writing>& writings() {
  static const std::vector<Writing> all{
      {{Script::latin},
       "af az br bs ca cs cy da de en eo es et eu fi fo fr fy ga gd gl hr ht hu id is it jv la lb "
       "lt lv mg ms mt nb nl nn no oc pl pt ro sk sl so sq su sv sw tk tl tr uz vi xh yo zu"},
      {{Script::greek}, "el"},
      {{Script::cyrillic}, "be bg kk ky mk mn ru tg tt uk"},
      {{Script::cyrillic, Script::latin}, "sh sr"},
      {{Script::armenian}, "hy"},
      {{Script::hebrew}, "he iw yi"},
      {{Script::arabic}, "ar fa ps sd ug ur"},
      {{Script::devanagari}, "hi mr ne sa"},
      {{Script::bengali}, "as bn"},
      {{Script::gurmukhi}, "pa"},
      {{Script::gujarati}, "gu"},
      {{Script::oriya}, "or"},
      {{Script::tamil}, "ta"},
      {{Script::telugu}, "te"},
      {{Script::kannada}, "kn"},
      {{Script::malayalam}, "ml"},
      {{Script::sinhala}, "si"},
      {{Script::thai}, "th"},
      {{Script::lao}, "lo"},
      {{Script::tibetan}, "bo dz"},
      {{Script::myanmar}, "my"},
      {{Script::georgian}, "ka"},
      {{Script::hangul, Script::han}, "ko"},
      {{Script::ethiopic}, "am ti"},
      {{Script::khmer}, "km"},
      {{Script::han}, "zh"},
      {{Script::han, Script::kana}, "ja"},
  };
  return all;
}

}  // namespace

Language language_from_code(std::string_view code) {
  const std::string_view base = base_language(code);
  for (const Writing& writing : writings()) {
    if (std::ranges::count(split_words(writing.codes), base) > 0)
      return {std::string(code), writing.scripts};
  }
  return {std::string(code), {}};
}

std::string identified_code(std::string_view code) {
  static const std::map<std::string_view, const char*> others{
      {"iw", "he"}, {"jw", "jv"}, {"nb", "no"}, {"nn", "no"}, {"hr", "sh"},
      {"sr", "sh"}, {"bs", "sh"}, {"id", "ms"}, {"tl", "fil"}};
  const std::string_view base = base_language(code);
  const auto other = others.find(base);
  return other != others.end() ? other->second : std::string(base);
}

#if TFM_HAS_CLD2
bool can_identify_languages() { return true; }

// CLD2 has names for more languages than it finds. These are the 83 of its README.
bool can_identify(std::string_view code) {
  constexpr std::string_view found =
      "af sq ar hy az eu be bn bh bg ca ceb chr hr cs zh da dv nl en et fi fr gl lg ka de el gu ht "
      "he hi hmn hu is id iu ga it jv ja kn km rw ko lo lv lif lt mk ms ml mt mr ne no or fa pl pt "
      "pa ro ru gd sr si sk sl es sw sv syr tl ta te th tr uk ur vi cy yi";
  const auto language = identified_code(code);
  return std::ranges::any_of(
      split_words(found), [&](std::string_view each) { return identified_code(each) == language; });
}

IdentifiedLanguage identify_language(std::string_view text, std::string_view expected) {
  const CLD2::Language hint = CLD2::GetLanguageFromName(std::string(expected).c_str());
  const CLD2::CLDHints hints{nullptr, nullptr, CLD2::UNKNOWN_ENCODING, hint};
  std::array<CLD2::Language, 3> languages{};
  std::array<int, 3> percents{};
  std::array<double, 3> scores{};
  int bytes = 0;
  bool is_reliable = false;
  CLD2::ExtDetectLanguageSummary(text.data(), static_cast<int>(text.size()), true, &hints, 0,
                                 languages.data(), percents.data(), scores.data(), nullptr, &bytes,
                                 &is_reliable);
  if (!is_reliable || languages[0] == CLD2::UNKNOWN_LANGUAGE) return {};
  return {identified_code(CLD2::LanguageCode(languages[0])), percents[0]};
}
#else
bool can_identify_languages() { return false; }

bool can_identify(std::string_view) { return false; }

IdentifiedLanguage identify_language(std::string_view, std::string_view) { return {}; }
#endif

}  // namespace tfm
