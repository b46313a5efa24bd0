#include "abbreviations.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "tfm/text/characters.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

// English, German, French, Spanish and Italian titles and other abbreviations, sorted by bytes. A
// full stop after one of them does not end a sentence, even before an upper-case letter.
constexpr auto always = std::to_array<std::string_view>(
    {"Abb",    "Aug", "Bd",   "Bf",   "Capt", "Col",    "Dec",  "Dir", "Dott", "Dr",   "Dra",
     "Feb",    "Fr",  "Frl",  "Gen",  "Gov",  "Hon",    "Hr",   "Hrn", "Ing",  "Jan",  "Jh",
     "Jul",    "Jun", "Lt",   "Maj",  "Me",   "Messrs", "Mgr",  "Mio", "Mlle", "Mme",  "Mmes",
     "Mr",     "Mrd", "Mrs",  "Ms",   "Mt",   "Nov",    "Oct",  "Okt", "Prof", "Rep",  "Rev",
     "Sen",    "Sep", "Sept", "Sgt",  "Sig",  "Sr",     "Sra",  "St",  "Ste",  "Str",  "Tel",
     "Univ",   "Vgl", "bzw",  "ca",   "cf",   "dt",     "ed",   "eds", "engl", "evtl", "ex",
     "franz",  "geb", "gen",  "gest", "ggf",  "inkl",   "insb", "lat", "rd",   "sog",  "ugs",
     "versch", "vgl", "vs",   "zzgl"});
// Words that are abbreviations only if a number follows ("No. 5"). Sorted by bytes.
constexpr auto before_numbers = std::to_array<std::string_view>(
    {"Abs", "Anm", "Art", "Ch",  "Fig",  "Kap", "No", "Nos", "Nr", "Nrn", "Par",
     "Sec", "Tab", "Vol", "art", "chap", "fig", "no", "nr",  "pp", "vol"});

bool holds(const auto& sorted, std::string_view word) {
  return std::ranges::binary_search(sorted, word);
}

/// Returns true for single letters that are separated by full stops: "J", "z", "e.g", "U.S".
bool is_initials(std::string_view word) {
  std::size_t position = 0;
  while (position < word.size()) {
    if (!is_letter(next_code_point(word, position))) return false;
    if (position == word.size()) return true;
    if (word[position] != '.') return false;
    ++position;
  }
  return false;
}

/// Returns true for one or two digits, such as the day of a date ("3", "31") or the ordinal of a
/// monarch.
bool is_ordinal(std::string_view word) {
  return !word.empty() && word.size() <= 2 &&
         std::ranges::all_of(word, [](char c) { return is_digit(static_cast<unsigned char>(c)); });
}

}  // namespace

bool is_abbreviation(std::string_view word, bool before_digit) {
  static_assert(std::ranges::is_sorted(always) && std::ranges::is_sorted(before_numbers));
  return is_initials(word) || is_ordinal(word) || holds(always, word) ||
         (before_digit && holds(before_numbers, word));
}

}  // namespace tfm
