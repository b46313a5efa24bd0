#include <algorithm>
#include <nlohmann/json.hpp>

#include "text_document.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using Json = nlohmann::json;

void check_json(const std::string& name, std::string_view text) {
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
  // The parser takes a NUL for the end of the text.
  const auto nul = text.find('\0');
  if (nul != text.npos || !Json::sax_parse(text, &checker))
    throw DataError(text_place(name, text, std::min({nul, checker.at, text.size()})),
                    "is not valid JSON", "Correct the file at this line.");
}

/// Returns the position after the string that begins at `at`, in valid JSON.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (++at; text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
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
