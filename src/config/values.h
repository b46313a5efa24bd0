// Numbers and booleans <-> text, and the words in which a range is told. read_value takes the whole
// text or nothing: on failure `value` is unchanged and what is wrong comes back ("must be a whole
// number, not 'ten'").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tfm/config/fields.h"

namespace tfm {

std::string format_value(std::int64_t value);
/// The shortest text that reads back as the same double.
std::string format_value(double value);
std::string format_value(bool value);

/// or_else: what else the message says is allowed ("auto or "), before the number.
std::optional<std::string> read_value(std::string_view text, Range range, std::int64_t& value,
                                      std::string_view or_else = "");
/// Finite numbers only.
std::optional<std::string> read_value(std::string_view text, Range range, double& value);
std::optional<std::string> read_value(std::string_view text, bool& value);

/// "a; b" <-> {"a", "b"}: spaces around an entry and empty entries do not count.
std::string join_entries(const std::vector<std::string>& entries);
std::vector<std::string> split_entries(std::string_view text);

/// "between 0 and 0.95", "at least 1", or empty where every number is allowed.
std::string describe(Range range);

/// "a, b or c"
std::string join_choices(const std::vector<std::string>& choices);

}  // namespace tfm
