#include <algorithm>
#include <nlohmann/json.hpp>

#include "text_document.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using Json = nlohmann::json;

/// Returns true for a number of JSON, of any size.
bool is_json_number(std::string_view text) {
  const auto skip = [&](std::string_view characters) {
    const auto size = std::min(text.find_first_not_of(characters), text.size());
    text.remove_prefix(size);
    return size;
  };
  constexpr std::string_view digits = "0123456789";
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool begins_with_zero = text.starts_with('0');
  if (const auto size = skip(digits); size == 0 || (begins_with_zero && size > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (skip(digits) == 0) return false;
  }
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 2 : 1);
  return skip(digits) > 0 && text.empty();
}

/// Returns the position after the string that begins at `at`, or the size of a text that ends in
/// it.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

/// Returns the text with 0 for each number. The parser refuses numbers that no double holds.
std::string without_numbers(std::string_view text) {
  std::string changed;
  for (std::size_t at = 0; at < text.size();) {
    auto end = text[at] == '"' ? string_end(text, at) : at + 1;
    const bool may_be_number = text[at] == '-' || (text[at] >= '0' && text[at] <= '9');
    if (may_be_number) end = std::min(text.find_first_not_of("0123456789+-.eE", at), text.size());
    const auto token = text.substr(at, end - at);
    changed += may_be_number && is_json_number(token) ? "0" : token;
    at = end;
  }
  return changed;
}

void check_json(const std::string& name, std::string_view original) {
  struct Checker : nlohmann::json_sax<Json> {
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception&) override {
      at = position;
      return false;
    }
    std::size_t at = 0;
  } checker;
  const auto text = without_numbers(original);  // in which each line has its number
  // The parser takes a NUL for the end of the text.
  const auto nul = text.find('\0');
  if (nul != text.npos || !Json::sax_parse(text, &checker))
    throw DataError(text_place(name, text, std::min({nul, checker.at, text.size()})),
                    "is not valid JSON", "Correct the file at this line.");
}

}  // namespace

std::vector<TextSlot> json_slots(const std::string& name, std::string_view text) {
  check_json(name, text);
  std::vector<TextSlot> slots;
  for (auto at = text.find('"'); at != text.npos; at = text.find('"', at)) {
    const auto end = string_end(text, at);
    const auto next = text.find_first_not_of(" \t\r\n", end);
    const bool is_key = next != text.npos && text[next] == ':';
    if (!is_key) {
      const auto decoded = Json::parse(text.substr(at, end - at)).get<std::string>();
      StringValue value(decoded);
      if (is_text_value(decoded))
        slots.push_back({at, end, value.segments(), [value](auto translations) {
                           return Json(value.join(translations))
                               .dump(-1, ' ', false, Json::error_handler_t::replace);
                         }});
    }
    at = end;
  }
  return slots;
}

}  // namespace tfm
