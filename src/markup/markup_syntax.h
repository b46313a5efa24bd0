// What markup looks like: tags and comments, entities, placeholders, each recognised at one place
// of a line. Every function reads a line once from there to the end at most, and recognises nothing
// that has no end.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tfm {

struct Tag {
  enum class Kind { start, end, empty };  // empty: <br>, <x/>, comments, declarations
  Kind kind = Kind::empty;
  std::string name;        ///< lower-case; of comments and declarations ""
  std::size_t length = 0;  ///< bytes
};

/// The tag, comment, declaration or processing instruction at `at`, which is a '<'.
std::optional<Tag> tag_at(std::string_view line, std::size_t at);

/// Whether words before and after the tag are two words, though no white space is between them.
bool divides_words(std::string_view tag_name);

struct Entity {
  std::string text;        ///< UTF-8; empty: well-formed, but of no known name
  std::size_t length = 0;  ///< bytes of its spelling
};

/// "&amp;", "&#228;", "&#xE4;" at `at`, which is a '&'. Known names are those of XML, of Latin-1
/// and of common punctuation.
std::optional<Entity> entity_at(std::string_view line, std::size_t at);

/// `&`, `<`, `>` as entities, but for those in `raw`.
std::string escaped(std::string_view text, std::string_view raw);

/// Bytes of the placeholder at `at`: {name}, {{name}}, ${name}, $1, %s, %1$d, %(name)s. 0: none.
std::size_t placeholder_length(std::string_view line, std::size_t at);

}  // namespace tfm
