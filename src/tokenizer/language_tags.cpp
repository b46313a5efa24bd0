#include "tfm/tokenizer/language_tags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <ranges>

#include "tfm/core/error.h"
#include "tfm/core/spelling.h"
#include "tfm/text/language_codes.h"

namespace tfm {
namespace {

bool is_between(std::string_view text, char first, char last) {
  return std::ranges::all_of(text, [=](char each) { return each >= first && each <= last; });
}

/// Returns whether the piece is a code of FLORES-200: fra_Latn.
bool is_flores_code(std::string_view piece) {
  constexpr std::size_t length = 8;
  return piece.size() == length && piece[3] == '_' && is_between(piece.substr(0, 3), 'a', 'z') &&
         is_between(piece.substr(4, 1), 'A', 'Z') && is_between(piece.substr(5), 'a', 'z');
}

/// Returns what stands between `begin` and `end`, if the piece consists of these and at least two
/// more characters.
std::optional<std::string_view> inner_part(std::string_view piece, std::string_view begin,
                                           std::string_view end) {
  if (!piece.starts_with(begin) || !piece.ends_with(end) ||
      piece.size() < begin.size() + 2 + end.size())
    return std::nullopt;
  return piece.substr(begin.size(), piece.size() - begin.size() - end.size());
}

/// Returns the code that a tag contains, or nullopt if the piece is not a tag of the kind.
std::optional<std::string_view> code_in_tag(std::string_view piece, TagKind kind) {
  if (kind == TagKind::target_in_source) return inner_part(piece, "<2", ">");
  return is_flores_code(piece) ? std::optional(piece) : inner_part(piece, "__", "__");
}

bool means_same_language(const LanguageCode& first, const LanguageCode& other) {
  return first.language == other.language &&
         (first.script == other.script || first.script.empty() || other.script.empty());
}

/// Returns the codes in `known` that are spelled most like the code, at most five.
std::vector<std::string> nearest_codes(const std::string& code, std::vector<std::string> known) {
  constexpr std::ptrdiff_t most = 5;
  const auto distance = [&code](const std::string& other) {
    return edit_distance(to_lower(code), to_lower(other).substr(0, code.size()));
  };
  std::ranges::stable_sort(known, {}, distance);
  known.resize(std::min<std::size_t>(known.size(), most));
  return known;
}

std::vector<std::string> codes_of(const Tokenizer& tokenizer, const TokenIds& tags) {
  std::vector<std::string> codes;
  for (const TokenId id : tags) codes.push_back(language_code_in_tag(tokenizer.piece(id)));
  return codes;
}

}  // namespace

std::string language_code_in_tag(const std::string& piece) {
  for (const TagKind kind : {TagKind::target_in_source, TagKind::language}) {
    if (const auto code = code_in_tag(piece, kind)) return std::string(*code);
  }
  return piece;
}

bool is_language_tag(std::string_view piece, TagKind kind) {
  return code_in_tag(piece, kind).has_value();
}

bool is_tag_of_language(std::string_view piece, TagKind kind, const std::string& language) {
  const auto code = code_in_tag(piece, kind);
  return code && means_same_language(parse_language_code(*code),
                                     parse_language_code(language_code_in_tag(language)));
}

TokenIds list_language_tags(const Tokenizer& tokenizer, TagKind kind) {
  TokenIds tags;
  for (TokenId id = 0; id < tokenizer.size(); ++id) {
    if (is_language_tag(tokenizer.piece(id), kind)) tags.push_back(id);
  }
  return tags;
}

TokenId find_language_tag(const Tokenizer& tokenizer, const TokenIds& tags,
                          const std::string& language, const std::string& field) {
  const auto code = language_code_in_tag(language);
  const auto codes = codes_of(tokenizer, tags);
  if (const auto same = std::ranges::find(codes, code); same != codes.end())
    return tags[static_cast<std::size_t>(same - codes.begin())];
  const auto wanted = parse_language_code(code);
  TokenIds found;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (means_same_language(parse_language_code(codes[i]), wanted)) found.push_back(tags[i]);
  }
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    throw ConfigError(field, fmt::format("the model has no language '{}'", language),
                      fmt::format("Name one of its {} languages; most like it are: {}.",
                                  tags.size(), fmt::join(nearest_codes(code, codes), ", ")));
  }
  throw ConfigError(field, fmt::format("the model has '{}' in several scripts", language),
                    fmt::format("Name one of: {}.", fmt::join(codes_of(tokenizer, found), ", ")));
}

std::string describe_tags(const Tokenizer& tokenizer, const TokenIds& tags) {
  constexpr std::size_t most = 10;
  auto codes = codes_of(tokenizer, tags);
  const auto others = codes.size() - std::min(codes.size(), most);
  codes.resize(codes.size() - others);
  const auto first = fmt::format("{}", fmt::join(codes, ", "));
  return others == 0 ? first : fmt::format("{} and {} more", first, others);
}

}  // namespace tfm
