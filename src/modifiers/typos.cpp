#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>

#include "modifier_functions.h"
#include "tfm/text/characters.h"
#include "tfm/text/letter_case.h"
#include "tfm/text/unicode_categories.h"
#include "tfm/text/utf8.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

enum class Typo { exchange, drop, repeat, replace, add, drop_space, add_space };
constexpr std::size_t typo_kinds = 7;

/// A text that is being mistyped. Only letters outside symbols change, and spaces between letters,
/// so that numbers and symbols stay as they are.
class MistypedText {
 public:
  MistypedText(std::string_view text, const ModifierContext& context, RandomStream& random)
      : random_(random) {
    std::int64_t word = -1;
    bool in_word = false;
    for_each_part(text, context.symbols, [&](std::string_view part, bool is_symbol) {
      for (std::size_t end = 0; end < part.size();) {
        const char32_t c = next_code_point(part, end);
        const bool is_text = is_letter(c) && unicode_category(c) == UnicodeCategory::other;
        if (!separates_words(c) && !in_word) ++word;
        in_word = !separates_words(c);
        characters_.push_back({c, is_text && !is_symbol, word});
      }
    });
  }

  /// Makes one typo of this kind if the text has a place for it.
  bool make(Typo typo) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < characters_.size(); ++i)
      if (is_place(typo, i)) places.push_back(i);
    if (places.empty()) return false;
    change(typo, places[random_.below(places.size())]);
    return true;
  }

  std::string text() const {
    std::string text;
    for (const Character& c : characters_) text += encode_utf8(c.value);
    return text;
  }

  /// Returns the links of the words as they are now. A word that was divided passes its links on to
  /// both parts, and a word that was joined has the links of both.
  WordAlignment relinked(const WordAlignment& links) const {
    if (links.empty()) return {};
    std::set<std::pair<std::int64_t, std::int64_t>> words;  // the former word, and the present one
    std::int64_t present = -1;
    bool in_word = false;
    for (const Character& c : characters_) {
      if (!separates_words(c.value) && !in_word) ++present;
      in_word = !separates_words(c.value);
      if (in_word) words.emplace(c.word, present);
    }
    std::set<WordLink> found;
    for (const auto& [source, target] : links) {
      for (auto word = words.lower_bound({source, 0}); word != words.end() && word->first == source;
           ++word)
        found.insert({word->second, target});
    }
    return {found.begin(), found.end()};
  }

 private:
  struct Character {
    char32_t value;
    bool is_letter;     // and may change
    std::int64_t word;  // the number of its word in the text, or of the last word before a space
  };

  static bool separates_words(char32_t c) {
    return c < 0x80 && whitespace.find(static_cast<char>(c)) != std::string_view::npos;
  }

  bool is_letter_at(std::size_t i) const {
    return i < characters_.size() && characters_[i].is_letter;
  }

  bool is_place(Typo typo, std::size_t i) const {
    switch (typo) {
      case Typo::exchange:
        return is_letter_at(i) && is_letter_at(i + 1) &&
               characters_[i].value != characters_[i + 1].value;
      case Typo::drop:  // not the only letter of a word
        return is_letter_at(i) && (is_letter_at(i + 1) || (i > 0 && is_letter_at(i - 1)));
      case Typo::repeat:
      case Typo::replace:
      case Typo::add:
        return is_letter_at(i);
      case Typo::drop_space:
        return characters_[i].value == U' ' && is_letter_at(i + 1) && i > 0 && is_letter_at(i - 1);
      case Typo::add_space:  // before this letter
        return is_letter_at(i) && i > 0 && is_letter_at(i - 1);
    }
    return false;
  }

  void change(Typo typo, std::size_t i) {
    const auto place = characters_.begin() + static_cast<std::ptrdiff_t>(i);
    switch (typo) {
      case Typo::exchange:
        std::swap(*place, *(place + 1));
        break;
      case Typo::drop:
      case Typo::drop_space:
        characters_.erase(place);
        break;
      case Typo::repeat:
        characters_.insert(place, Character(*place));
        break;
      case Typo::replace:
        place->value = neighbour(place->value);
        break;
      case Typo::add: {
        const Character added{neighbour(place->value), true, place->word};
        characters_.insert(place + static_cast<std::ptrdiff_t>(random_.below(2)), added);
        break;
      }
      case Typo::add_space:
        characters_.insert(place, {U' ', false, place->word});
        break;
    }
  }

  /// Returns a letter that is beside this one on a keyboard (QWERTY). For letters that this
  /// keyboard does not have, returns a letter of the text in the same script.
  char32_t neighbour(char32_t letter) {
    constexpr auto rows =
        std::to_array<std::u32string_view>({U"qwertyuiop", U"asdfghjkl", U"zxcvbnm"});
    const char32_t lower = lowercase_letter(letter);
    for (const auto row : rows) {
      const auto at = row.find(lower);
      if (at == std::u32string_view::npos) continue;
      const bool left = at + 1 == row.size() || (at > 0 && random_.below(2) == 0);
      const char32_t found = row[left ? at - 1 : at + 1];
      return lower == letter ? found : uppercase_letter(found);
    }
    std::vector<char32_t> alike;
    for (const Character& c : characters_)
      if (c.is_letter && c.value != letter && script(c.value) == script(letter))
        alike.push_back(c.value);
    return alike.empty() ? letter : alike[random_.below(alike.size())];
  }

  RandomStream& random_;
  std::vector<Character> characters_;
};

}  // namespace

TextPair mistype(TextPair pair, const ModifierInput& input, RandomStream& random) {
  MistypedText text(pair.source, input.context, random);
  const std::size_t typos = 1 + random.below(split_words(pair.source).size() / 10 + 1);
  for (std::size_t i = 0; i < typos; ++i) {
    // If there is no place for this kind of typo, the next kind is tried.
    const std::size_t first = random.below(typo_kinds);
    for (std::size_t k = 0; k < typo_kinds; ++k)
      if (text.make(static_cast<Typo>((first + k) % typo_kinds))) break;
  }
  pair.source = text.text();
  pair.links = text.relinked(pair.links);
  return pair;
}

}  // namespace tfm
