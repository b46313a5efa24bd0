// Reads attributes of tags and placeholders, and writes text as HTML. Tags are in tags.h,
// entities in entities.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tfm/markup/entities.h"
#include "tfm/markup/tags.h"

namespace tfm {

/// Returns the value of an attribute of a tag, or nullopt if the tag does not have it. `name` is in
/// lower case.
std::optional<std::string> tag_attribute(std::string_view tag, std::string_view name);

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
