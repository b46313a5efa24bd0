#include "tfm/corpus/pair_rules.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

#include "character_table.h"
#include "tfm/text/characters.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

constexpr char32_t no_character = 0x110000;

/// Returns the next letter or digit in lower case, or no_character at the end.
char32_t next_letter(std::string_view text, std::size_t& position) {
  while (position < text.size()) {
    const char32_t c = next_code_point(text, position);
    if (c < 0x80) {
      if (c >= 'A' && c <= 'Z') return c + ('a' - 'A');
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) return c;
      continue;
    }
    const CharacterClass& known = character_class(c);
    if (known.letter || known.digit) return lowercase_letter(c);
  }
  return no_character;
}

/// Returns the value of a decimal digit, or -1. Code points of zeros are multiples of 16.
int digit_value(char32_t c) { return is_digit(c) ? static_cast<int>(c % 16) : -1; }

/// Returns the number of digits that follow from `position`, up to four.
int digits_ahead(std::string_view text, std::size_t position) {
  int count = 0;
  while (position < text.size() && count < 4 && digit_value(next_code_point(text, position)) >= 0)
    ++count;
  return count;
}

/// Returns true if the number continues after this separator. `digits` is the number of digits
/// since the last separator. A space separates only groups of three digits.
bool joins_digits(char32_t separator, int digits, std::string_view text, std::size_t position) {
  const int ahead = digits_ahead(text, position);
  if (separator == '.' || separator == ',' || separator == '\'' || separator == U'\u2019')
    return ahead > 0;
  const bool is_gap = separator == ' ' || separator == U'\u00A0' || separator == U'\u202F';
  return is_gap && digits <= 3 && ahead == 3;
}

}  // namespace

double ratio(std::int64_t a, std::int64_t b) {
  const auto [less, more] = std::minmax(a, b);
  return less == 0 ? 0 : static_cast<double>(more) / static_cast<double>(less);
}

bool is_copy(std::string_view source, std::string_view target) {
  std::size_t i = 0;
  std::size_t j = 0;
  for (;;) {
    const char32_t c = next_letter(source, i);
    if (c != next_letter(target, j)) return false;
    if (c == no_character) return true;
  }
}

double script_share(const TextFacts& facts, const std::vector<Script>& scripts) {
  if (facts.letters == 0) return 1;
  std::int64_t expected = 0;
  for (const Script script : scripts) expected += facts.scripts[static_cast<std::size_t>(script)];
  return static_cast<double>(expected) / static_cast<double>(facts.letters);
}

std::vector<std::string> find_urls(std::string_view text) {
  static constexpr std::array<std::string_view, 4> starts{"http://", "https://", "ftp://", "www."};
  std::vector<std::string> urls;
  // every address has one of these characters, which are rarer than its first letter
  if (text.find("://") == text.npos && text.find("www.") == text.npos) return urls;
  for (std::size_t at = 0; at < text.size();) {
    const auto rest = text.substr(at);
    if (!std::ranges::any_of(starts, [rest](auto start) { return rest.starts_with(start); })) {
      ++at;
      continue;
    }
    auto url = rest.substr(0, rest.find_first_of(" \t\r\n<>\"|"));
    at += url.size();
    while (!url.empty() && std::string_view(".,;:!?)]}'/").find(url.back()) != url.npos)
      url.remove_suffix(1);
    urls.emplace_back(url);
  }
  std::ranges::sort(urls);
  return urls;
}

std::vector<std::string> find_numbers(std::string_view text) {
  std::vector<std::string> numbers;
  std::string number;
  int group = 0;  // digits since the last separator
  const auto finish = [&] {
    if (number.size() > 1) numbers.push_back(number);
    number.clear();
    group = 0;
  };
  for (std::size_t position = 0; position < text.size();) {
    const char32_t c = next_code_point(text, position);
    if (const int digit = digit_value(c); digit >= 0) {
      number += static_cast<char>('0' + digit);
      ++group;
    } else if (!number.empty()) {
      joins_digits(c, group, text, position) ? void(group = 0) : finish();
    }
  }
  finish();
  std::ranges::sort(numbers);
  return numbers;
}

double overlap(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.empty() && b.empty()) return 1;
  std::vector<std::string> common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return 2.0 * static_cast<double>(common.size()) / static_cast<double>(a.size() + b.size());
}

std::int64_t count_repeats(std::string_view text) {
  constexpr std::size_t longest = 4;
  const auto words = find_words(text);
  std::size_t most = words.empty() ? 0 : 1;
  for (std::size_t size = 1; size <= longest; ++size) {
    std::size_t equal = 0;  // words in a row that equal the word `size` words before
    for (std::size_t i = size; i < words.size(); ++i) {
      equal = words[i] == words[i - size] ? equal + 1 : 0;
      most = std::max(most, equal / size + 1);
    }
  }
  return static_cast<std::int64_t>(most);
}

std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
  static_assert(sizeof(std::size_t) == sizeof(std::uint64_t));
  constexpr std::hash<std::string_view> hash;
  const std::array<std::uint64_t, 2> both{hash(text), seed};
  return hash({reinterpret_cast<const char*>(both.data()), sizeof(both)});
}

}  // namespace tfm
