// Recognises entities of HTML and XML at a position of a text. Only complete ones are recognised:
// "AT&T" is text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tfm {

struct Entity {
  std::string text;        ///< the character in UTF-8; empty if the entity is unknown
  std::size_t length = 0;  ///< in bytes, including '&' and ';'
};

/// Returns the entity ("&amp;", "&#228;", "&#xE4;") that begins at offset `at`, or nullopt if no
/// well-formed entity begins there. The character at `at` must be '&'. The known names are those of
/// XML, of Latin-1 and of some other punctuation, symbols and letters.
std::optional<Entity> entity_at(std::string_view line, std::size_t at);

/// Replaces known HTML and XML entities by the characters that they stand for.
std::string decode_entities(std::string_view text);

}  // namespace tfm
