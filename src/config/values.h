// Converts numbers, booleans and lists to text and back, and describes ranges in words. read_value
// parses the complete text. On failure it leaves `value` unchanged and returns the problem ("must
// be a whole number, not 'ten'").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tfm/config/fields.h"

namespace tfm {

std::string format_value(std::int64_t value);
/// Returns the shortest text that reads back as the same double.
std::string format_value(double value);
std::string format_value(bool value);

/// If a keyword is allowed besides numbers, `or_else` ("auto or ") names it in the message: "must
/// be auto or at least 1".
std::optional<std::string> read_value(std::string_view text, Range range, std::int64_t& value,
                                      std::string_view or_else = "");
/// Rejects infinities and NaN, even if the range has no limits.
std::optional<std::string> read_value(std::string_view text, Range range, double& value);
std::optional<std::string> read_value(std::string_view text, bool& value);

/// Returns the number that the complete text spells; nullopt if it is below 0 or not finite.
std::optional<double> parse_number(const std::string& text);

/// Joins {"a", "b"} into "a; b". split_entries converts the text back, without empty entries and
/// without spaces around entries.
std::string join_entries(const std::vector<std::string>& entries);
std::vector<std::string> split_entries(std::string_view text);

/// Describes a range: "between 0 and 0.95", "at least 1" or "at most 1". Returns an empty text if
/// every number is allowed.
std::string describe(Range range);

/// Returns "a, b or c".
std::string join_choices(const std::vector<std::string>& choices);

}  // namespace tfm
