// Recognises tags, comments and declarations at a position of a text. Only complete markup is
// recognised: text that resembles it ("a < b", "<me@example.org>") is text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tfm {

struct Tag {
  enum class Kind { start, end, empty };  // `empty` includes comments and declarations
  Kind kind = Kind::empty;
  std::string name;        ///< lower-case; "" for comments and declarations
  std::size_t length = 0;  ///< in bytes
};

/// Returns the tag, comment, declaration, CDATA section or processing instruction that begins at
/// offset `at`, or nullopt if there is none. The character at `at` must be '<'. Reads the line at
/// most once, from `at` to its end.
std::optional<Tag> tag_at(std::string_view line, std::size_t at);

/// Returns true if the tag separates words even without white space.
bool separates_words(std::string_view tag_name);

}  // namespace tfm
