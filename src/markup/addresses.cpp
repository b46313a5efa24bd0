#include "tfm/markup/addresses.h"

#include <algorithm>
#include <array>

#include "markup_syntax.h"
#include "tfm/text/characters.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

constexpr std::array<std::string_view, 5> starts{"http://", "https://", "ftp://",
                                                 "mailto:", "www."};
/// The most bytes before the '@' (RFC 5321). Without a limit, text full of full stops would be read
/// in quadratic time.
constexpr std::size_t longest_local_part = 64;

/// Only ASCII counts: Chinese text and opening quotes precede addresses directly.
bool follows_word(std::string_view line, std::size_t at) {
  return at > 0 && (line[at - 1] & 0x80) == 0 && begins_with_word_letter(line.substr(at - 1));
}

/// Returns the position of the first character, from `at` on, that is neither a letter nor a digit
/// nor in the set.
std::size_t skip_letters(std::string_view line, std::size_t at, std::string_view set) {
  for (auto next = at; at < line.size(); at = next) {
    if (set.find(line[at]) == set.npos && !begins_with_word_letter(line.substr(at))) break;
    next_code_point(line, next);
  }
  return at;
}

/// Returns the length of the beginning of a web address, such as "https://", or 0.
std::size_t start_length(std::string_view rest) {
  const auto is_start = [rest](std::string_view start) {
    return rest.size() > start.size() &&
           std::ranges::equal(start, rest.substr(0, start.size()), [](char a, char b) {
             return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b);
           });
  };
  const auto found = std::ranges::find_if(starts, is_start);
  return found == starts.end() ? 0 : found->size();
}

/// Returns the end of a web address of which the part after `at` is left. Brackets belong to it in
/// pairs.
std::size_t web_address_end(std::string_view line, std::size_t at) {
  constexpr std::string_view opening = "([{";
  constexpr std::string_view closing = ")]}";
  std::string open;  // the brackets that have to be closed
  auto end = at;
  for (auto next = at; at < line.size(); at = next) {
    const char c = line[at];
    if (c == '&') {
      const auto entity = entity_at(line, at);
      if (entity && entity->text != "&") break;
      next = at + (entity ? entity->length : 1);
      continue;
    }
    const auto code_point = next_code_point(line, next);
    const bool is_ascii = code_point > ' ' && code_point < 0x7F;
    if (is_ascii ? std::string_view("<>\"|\\^`").find(c) != std::string_view::npos
                 : !begins_with_word_letter(line.substr(at)))
      break;
    if (const auto bracket = opening.find(c); bracket != opening.npos) {
      open += closing[bracket];
    } else if (closing.find(c) != closing.npos) {
      if (!open.ends_with(c)) break;
      open.pop_back();
      end = next;
    } else if (std::string_view(".,;:!?'*_~").find(c) == std::string_view::npos) {
      end = next;
    }
  }
  return end;
}

/// Returns the length of a mail address, whose domain has at least two parts, or 0.
std::size_t mail_address_length(std::string_view line, std::size_t at) {
  const auto sign = skip_letters(line.substr(0, at + longest_local_part + 1), at, "._%+-");
  if (sign >= line.size() || line[sign] != '@') return 0;
  auto end = at;
  for (auto part = sign + 1;;) {
    const auto next = skip_letters(line, part, "-");
    const auto label = line.substr(part, next - part);
    const bool is_first = part == sign + 1;
    const bool begins_with_letter = label.find_first_of("-0123456789") != 0;
    if (!is_first && label.size() > 1 && begins_with_letter)
      end = part + label.find_last_not_of('-') + 1;
    if (label.empty() || next >= line.size() || line[next] != '.') return end - at;
    part = next + 1;
  }
}

}  // namespace

bool begins_with_word_letter(std::string_view text) {
  constexpr char32_t end_of_cyrillic = 0x530;
  std::size_t next = 0;
  const auto c = next_code_point(text, next);
  return c < end_of_cyrillic && (tfm::is_letter(c) || tfm::is_digit(c));
}

std::size_t address_length(std::string_view line, std::size_t at) {
  if (follows_word(line, at)) return 0;
  if (const auto start = start_length(line.substr(at)); start > 0) {
    const auto end = web_address_end(line, at + start);
    return end > at + start ? end - at : 0;
  }
  return begins_with_word_letter(line.substr(at)) ? mail_address_length(line, at) : 0;
}

}  // namespace tfm
