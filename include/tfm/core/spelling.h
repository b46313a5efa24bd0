// Compares names: ignoring case, and for the name that a misspelt name probably stands for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// Returns the text with lower-case letters for those of ASCII that are capitals.
std::string to_lower(std::string_view text);

/// Returns the Levenshtein distance: the smallest number of insertions, deletions and substitutions
/// of single bytes that turns one word into the other.
std::size_t edit_distance(std::string_view from, std::string_view to);

/// Returns the largest edit distance at which nearest_name suggests a name: a third of the length
/// of the word, but at least 2.
std::size_t suggestion_limit(std::string_view word);

/// Returns true if the word has at least three letters and is a proper prefix of the name, as
/// "warmup" is of "warmup_steps".
bool is_beginning(std::string_view word, std::string_view name);

/// Returns the first name for which is_beginning(word, name) is true. If there is none, returns the
/// name with the smallest edit distance to the word, or the first of several such names. Returns an
/// empty string if no name is within suggestion_limit.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

}  // namespace tfm
