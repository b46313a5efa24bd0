#include "marked_units.h"

#include <algorithm>
#include <map>

#include "tfm/text/utf8.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

bool is_punctuation(char32_t c) {
  if (c < 0x80)
    return c > ' ' && c < 0x7F && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') &&
           !(c >= 'a' && c <= 'z');
  constexpr std::u32string_view latin = U"¡§«»¿";
  return latin.find(c) != latin.npos || (c >= 0x2010 && c <= 0x2044) ||
         (c >= 0x3001 && c <= 0x301F) || (c >= 0xFF01 && c <= 0xFF0F) ||
         (c >= 0xFF1A && c <= 0xFF20);
}

/// Returns the byte range of the word without surrounding punctuation, or of the complete word if
/// it consists of punctuation only.
std::pair<std::size_t, std::size_t> core_range(std::string_view word) {
  std::size_t begin = word.size();
  std::size_t end = 0;
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t start = at;
    if (is_punctuation(next_code_point(word, at))) continue;
    begin = std::min(begin, start);
    end = at;
  }
  return begin < end ? std::pair(begin, end) : std::pair(std::size_t{0}, word.size());
}

using WordPart = std::pair<std::size_t, Unit::Role>;  // index of a word, and one of its parts

/// The indices of the units into which markup splits a part of a word: the first, the last, and the
/// most deeply nested one.
struct UnitRange {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t deepest = 0;
};

std::map<WordPart, UnitRange> ranges_by_part(const MarkedUnits& source) {
  std::map<WordPart, UnitRange> ranges;
  for (std::size_t i = 0; i < source.units.size(); ++i) {
    const auto [found, is_new] =
        ranges.emplace(WordPart(source.units[i].word, source.units[i].role), UnitRange{i, i, i});
    auto& range = found->second;
    range.last = i;
    if (source.depth[i] > source.depth[range.deepest]) range.deepest = i;
  }
  return ranges;
}

}  // namespace

std::vector<Unit> split_units(std::string_view text, std::span<const MarkupToken> marks) {
  std::vector<Unit> units;
  auto mark = marks.begin();
  const auto add = [&](std::size_t begin, std::size_t end, std::size_t word, Unit::Role role) {
    while (mark != marks.end() && mark->at <= begin) ++mark;
    for (; mark != marks.end() && mark->at < end; ++mark) {
      if (mark->at == begin) continue;
      units.push_back({begin, mark->at, word, role});
      begin = mark->at;
    }
    if (begin < end) units.push_back({begin, end, word, role});
  };
  std::size_t number = 0;
  for (const auto word : split_words(text)) {
    const auto begin = static_cast<std::size_t>(word.data() - text.data());
    const auto [core, after] = core_range(word);
    add(begin, begin + core, number, Unit::Role::before);
    add(begin + core, begin + after, number, Unit::Role::core);
    add(begin + after, begin + word.size(), number, Unit::Role::after);
    ++number;
  }
  return units;
}

AlignedUnits align_units(const MarkedUnits& source, std::string_view translation,
                         std::span<const std::int64_t> source_of) {
  const auto ranges = ranges_by_part(source);
  AlignedUnits aligned;
  const auto add = [&](const Unit& unit, std::int64_t from) {
    aligned.units.push_back(unit);
    aligned.source.push_back(from);
  };
  for (const Unit& unit : split_units(translation, {})) {
    const auto word = unit.word < source_of.size() ? source_of[unit.word] : unaligned;
    const auto found =
        word < 0 ? ranges.end() : ranges.find(WordPart(static_cast<std::size_t>(word), unit.role));
    if (found == ranges.end()) {
      add(unit, unaligned);
      continue;
    }
    const auto& [first, last, deepest] = found->second;
    const std::size_t begin = source.units[first].begin;
    if (source.text.substr(begin, source.units[last].end - begin) !=
        translation.substr(unit.begin, unit.end - unit.begin)) {
      add(unit, static_cast<std::int64_t>(deepest));
      continue;
    }
    for (std::size_t i = first; i <= last; ++i) {
      const Unit& part = source.units[i];
      add({unit.begin + (part.begin - begin), unit.begin + (part.end - begin), unit.word,
           unit.role},
          static_cast<std::int64_t>(i));
    }
  }
  // Punctuation that ends the sentence in the source corresponds to punctuation that ends the
  // translation, whatever words precede it.
  const auto ends = [](const std::vector<Unit>& units) {
    return !units.empty() && units.back().role == Unit::Role::after;
  };
  if (ends(source.units) && ends(aligned.units))
    aligned.source.back() = static_cast<std::int64_t>(source.units.size()) - 1;
  return aligned;
}

}  // namespace tfm
