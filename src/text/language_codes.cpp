#include "tfm/text/language_codes.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "tfm/core/spelling.h"

namespace tfm {
namespace {

/// Codes of two letters, each with its code of three letters, in alphabetical order. A language of
/// which FLORES-200 has several varieties is the one that the two letters usually mean.
constexpr auto codes = std::to_array<std::string_view>(
    {"af afr", "ak aka", "am amh", "ar arb", "as asm", "ay ayr", "az azj", "ba bak", "be bel",
     "bg bul", "bm bam", "bn ben", "bo bod", "br bre", "bs bos", "ca cat", "cs ces", "cy cym",
     "da dan", "de deu", "dz dzo", "ee ewe", "el ell", "en eng", "eo epo", "es spa", "et est",
     "eu eus", "fa pes", "ff fuv", "fi fin", "fj fij", "fo fao", "fr fra", "fy fry", "ga gle",
     "gd gla", "gl glg", "gn grn", "gu guj", "ha hau", "he heb", "hi hin", "hr hrv", "ht hat",
     "hu hun", "hy hye", "id ind", "ig ibo", "is isl", "it ita", "iw heb", "ja jpn", "jv jav",
     "ka kat", "kg kon", "ki kik", "kk kaz", "km khm", "kn kan", "ko kor", "ks kas", "ku kmr",
     "ky kir", "lb ltz", "lg lug", "li lim", "ln lin", "lo lao", "lt lit", "lv lvs", "mg plt",
     "mi mri", "mk mkd", "ml mal", "mn khk", "mr mar", "ms zsm", "mt mlt", "my mya", "nb nob",
     "ne npi", "nl nld", "nn nno", "no nob", "ny nya", "oc oci", "om gaz", "or ory", "pa pan",
     "pl pol", "ps pbt", "pt por", "qu quy", "rn run", "ro ron", "ru rus", "rw kin", "sa san",
     "sc srd", "sd snd", "sg sag", "si sin", "sk slk", "sl slv", "sm smo", "sn sna", "so som",
     "sq als", "sr srp", "ss ssw", "st sot", "su sun", "sv swe", "sw swh", "ta tam", "te tel",
     "tg tgk", "th tha", "ti tir", "tk tuk", "tl tgl", "tn tsn", "tr tur", "ts tso", "tt tat",
     "tw twi", "ug uig", "uk ukr", "ur urd", "uz uzn", "vi vie", "wo wol", "xh xho", "yi ydd",
     "yo yor", "zh zho", "zu zul"});

std::string three_letters(std::string code) {
  const auto found =
      std::ranges::find(codes, code, [](std::string_view entry) { return entry.substr(0, 2); });
  return found != codes.end() ? std::string(found->substr(3)) : std::move(code);
}

std::vector<std::string> split_code(std::string_view code) {
  std::vector<std::string> parts(1);
  for (const char letter : to_lower(code)) {
    if (letter == '-' || letter == '_')
      parts.emplace_back();
    else
      parts.back() += letter;
  }
  return parts;
}

/// Returns the script of Chinese in a region; simplified characters if it names no region.
std::string script_of_chinese(const std::vector<std::string>& parts) {
  const bool traditional = std::ranges::any_of(
      parts, [](const std::string& part) { return part == "tw" || part == "hk" || part == "mo"; });
  return traditional ? "Hant" : "Hans";
}

/// Returns the code of two letters of a language of ISO 639-3, or the language if there is none.
std::string two_letters(const std::string& language) {
  const auto found =
      std::ranges::find(codes, language, [](std::string_view entry) { return entry.substr(3); });
  return found != codes.end() ? std::string(found->substr(0, 2)) : language;
}

}  // namespace

std::vector<std::string> short_language_codes(const std::vector<std::string>& given) {
  std::vector<LanguageCode> languages;
  for (const auto& code : given) languages.push_back(parse_language_code(code));
  std::vector<std::string> result;
  for (const auto& [language, script] : languages) {
    result.push_back(two_letters(language));
    const auto in_scripts = std::ranges::count(languages, language, &LanguageCode::language);
    if (in_scripts > 1 && !script.empty()) result.back().append("-").append(script);
  }
  return result;
}

LanguageCode parse_language_code(std::string_view code) {
  const auto parts = split_code(code);
  LanguageCode result{three_letters(parts.front()), {}};
  constexpr std::size_t script_length = 4;
  if (parts.size() > 1 && parts[1].size() == script_length) {
    result.script = parts[1];
    result.script.front() = static_cast<char>(result.script.front() - 'a' + 'A');
  } else if (result.language == "zho") {
    result.script = script_of_chinese(parts);
  }
  return result;
}

}  // namespace tfm
