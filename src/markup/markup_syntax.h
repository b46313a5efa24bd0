// Recognises entities and placeholders at a position of a line; tags are in tags.h. A function that
// takes a line reads it at most once, from that position to its end, and accepts only complete
// markup.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tfm/markup/tags.h"

namespace tfm {

struct Entity {
  std::string text;        ///< the character in UTF-8; empty if the entity is unknown
  std::size_t length = 0;  ///< in bytes, including '&' and ';'
};

/// Returns the entity ("&amp;", "&#228;", "&#xE4;") that begins at offset `at`, or nullopt if no
/// well-formed entity begins there. The character at `at` must be '&'. The known names are those of
/// XML, of Latin-1 and of some other punctuation, symbols and letters.
std::optional<Entity> entity_at(std::string_view line, std::size_t at);

/// Replaces each `&`, `<` and `>` by its entity, except the characters that `raw` contains.
std::string escape(std::string_view text, std::string_view raw);

/// Returns true if the text begins with a digit or with a letter of a script that separates words
/// from what precedes them. Chinese text and Korean suffixes follow names and addresses directly.
bool begins_with_word_letter(std::string_view text);

/// Returns the length in bytes of the placeholder that begins at offset `at`, or 0 if there is
/// none. Placeholders are those of the usual formats of messages ({name}, %s, $name, :name) and
/// addresses (addresses.h). The line may be HTML, as in %&lt;name&gt;s.
std::size_t placeholder_length(std::string_view line, std::size_t at);

}  // namespace tfm
