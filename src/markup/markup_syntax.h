// Recognises tags, comments, entities and placeholders at a position of a line. Each function reads
// the line at most once, from that position to its end, and accepts only complete markup.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tfm {

struct Tag {
  enum class Kind { start, end, empty };  // empty is <br>, <x/>, a comment or a declaration
  Kind kind = Kind::empty;
  std::string name;        ///< lower-case; "" for comments and declarations
  std::size_t length = 0;  ///< in bytes
};

/// Returns the tag, comment, declaration or processing instruction at `at`, which is a '<', or
/// nullopt.
std::optional<Tag> tag_at(std::string_view line, std::size_t at);

/// Returns true if the tag separates words even without white space.
bool separates_words(std::string_view tag_name);

struct Entity {
  std::string text;        ///< UTF-8; empty if it is well-formed but unknown
  std::size_t length = 0;  ///< length of its spelling in bytes
};

/// Returns the entity ("&amp;", "&#228;", "&#xE4;") at `at`, which is a '&', or nullopt. The known
/// names are those of XML, of Latin-1 and of common punctuation.
std::optional<Entity> entity_at(std::string_view line, std::size_t at);

/// Replaces `&`, `<` and `>` by entities, except those in `raw`.
std::string escape(std::string_view text, std::string_view raw);

/// Returns the length in bytes of the placeholder at `at`, or 0 if nothing there is a placeholder.
/// Placeholders are {name}, {{name}}, ${name}, $1, %s, %1$d, %(name)s.
std::size_t placeholder_length(std::string_view line, std::size_t at);

}  // namespace tfm
