// The tests that the rules of cleaning consist of, as pure functions of texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/corpus/text_facts.h"

namespace tfm {

/// Returns larger / smaller, or 0 if one of the numbers is 0.
double ratio(std::int64_t a, std::int64_t b);

/// Returns true if the texts have the same letters and digits, without regard to case, white space
/// and punctuation.
bool is_copy(std::string_view source, std::string_view target);

/// Returns the share of the letters that are of these scripts, or 1 if there are no letters.
double script_share(const TextFacts& facts, const std::vector<Script>& scripts);

/// Returns the web addresses of the text, without the punctuation that follows them, sorted.
std::vector<std::string> find_urls(std::string_view text);

/// Returns the numbers of at least two digits, sorted. Separators within a number (1,000.5,
/// 1.000,5, 1 000,5) are removed. Numbers of one digit do not count, because they are often spelled
/// out.
std::vector<std::string> find_numbers(std::string_view text);

/// Returns the share of the entries of both sorted lists that are in the other list, too (the Dice
/// coefficient), or 1 if both are empty.
double overlap(const std::vector<std::string>& a, const std::vector<std::string>& b);

/// Returns how many times in a row the text has the same one to four words, at most; 1 if nothing
/// is repeated, and 0 for a text without words.
std::int64_t count_repeats(std::string_view text);

/// Returns a hash of the bytes.
std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0);

}  // namespace tfm
