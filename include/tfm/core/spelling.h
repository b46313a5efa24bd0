// Finds the name that a misspelt name probably stands for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// The Levenshtein distance: the fewest insertions, deletions and substitutions of a byte that turn
/// one word into the other.
std::size_t edit_distance(std::string_view from, std::string_view to);

/// The largest edit distance at which a suggestion is still more than a guess.
std::size_t suggestion_limit(std::string_view word);

/// Returns the first name that begins with the word, if the word has at least three letters.
/// Otherwise returns the name with the smallest edit distance to the word, the first of several;
/// empty if no name is within suggestion_limit.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

}  // namespace tfm
