#include "values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "tfm/core/spelling.h"

namespace tfm {
namespace {

template <class Number>
std::string shortest(Number value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

// Formats a bound. A whole number is written without an exponent (100000, not 1e+05).
std::string format_bound(double bound) {
  const bool whole = bound == std::floor(bound) && std::abs(bound) < 1e15;
  return whole ? format_value(static_cast<std::int64_t>(bound)) : format_value(bound);
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

/// The parts of an error message about a number.
struct NumberWords {
  std::string_view kind;     // "a whole number"
  std::string_view or_else;  // "auto or "

  std::string prefix() const { return "must be " + std::string(or_else); }
};

template <class Number>
std::optional<std::string> read_number(std::string_view text, Range range, Number& value,
                                       const NumberWords& words) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::result_out_of_range)
    return "is too large or too small a number: " + quoted(text);
  if (error != std::errc{} || stop != end || !std::isfinite(static_cast<double>(number))) {
    return words.prefix() + std::string(words.kind) + ", not " + quoted(text);
  }
  const auto position = static_cast<double>(number);
  if (position < range.low || position > range.high)
    return words.prefix() + describe(range) + ", not " + std::string(text);
  value = number;
  return std::nullopt;
}

/// Returns "; write 1000" for "1k", which Marian accepts; empty if the text is not such a number.
std::string suggest_digits(std::string_view text) {
  if (text.size() < 2) return "";
  const char suffix = text.back();
  const auto* zeros = suffix == 'k' || suffix == 'K'   ? "000"
                      : suffix == 'm' || suffix == 'M' ? "000000"
                                                       : nullptr;
  const auto digits = text.substr(0, text.size() - 1);
  const bool is_number = digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (zeros == nullptr || !is_number) return "";
  return "; write " + std::string(digits) + zeros;
}

}  // namespace

std::string format_value(std::int64_t value) { return shortest(value); }
std::string format_value(double value) { return shortest(value); }
std::string format_value(bool value) { return value ? "true" : "false"; }

std::optional<std::string> read_value(std::string_view text, Range range, std::int64_t& value,
                                      std::string_view or_else) {
  auto problem = read_number(text, range, value, {"a whole number", or_else});
  if (problem) *problem += suggest_digits(text);
  return problem;
}

std::optional<std::string> read_value(std::string_view text, Range range, double& value) {
  return read_number(text, range, value, {"a number", ""});
}

std::optional<std::string> read_value(std::string_view text, bool& value) {
  const std::string lower = to_lower(text);  // YAML allows True and TRUE
  if (lower != "true" && lower != "false") return "must be true or false, not " + quoted(text);
  value = lower == "true";
  return std::nullopt;
}

std::optional<double> parse_number(const std::string& text) {
  char* rest = nullptr;
  const double number = std::strtod(text.c_str(), &rest);
  const bool is_number = !text.empty() && *rest == '\0' && std::isfinite(number);
  return is_number && number >= 0 ? std::optional(number) : std::nullopt;
}

std::string join_entries(const std::vector<std::string>& entries) {
  std::string text;
  for (const std::string& entry : entries) text += (text.empty() ? "" : "; ") + entry;
  return text;
}

std::vector<std::string> split_entries(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  std::vector<std::string> entries;
  while (!text.empty()) {
    const auto end = std::min(text.find(';'), text.size());
    std::string_view entry = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    entry.remove_prefix(std::min(entry.find_first_not_of(blanks), entry.size()));
    entry = entry.substr(0, entry.find_last_not_of(blanks) + 1);
    if (!entry.empty()) entries.emplace_back(entry);
  }
  return entries;
}

std::string describe(Range range) {
  const bool low = std::isfinite(range.low);
  const bool high = std::isfinite(range.high);
  if (low && high) return "between " + format_bound(range.low) + " and " + format_bound(range.high);
  if (low) return "at least " + format_bound(range.low);
  if (high) return "at most " + format_bound(range.high);
  return "";
}

std::string join_choices(const std::vector<std::string>& choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += choices[i];
  }
  return text;
}

}  // namespace tfm
