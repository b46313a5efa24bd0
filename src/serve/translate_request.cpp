#include "translate_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tfm/text/utf8.h"

namespace tfm {
namespace {

using Json = nlohmann::json;

HttpError missing(const std::string& name) {
  return {400, "Invalid request: missing " + name + " parameter"};
}

}  // namespace

HttpError failed_translation(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const HttpError& known) {
    return known;
  } catch (...) {
    return {500, "the translation failed; the log of the service has the cause"};
  }
}

std::optional<std::string> read_optional_text(const Json& fields, const std::string& name) {
  const auto found = fields.find(name);
  if (found == fields.end() || found->is_null()) return std::nullopt;
  if (!found->is_string()) throw HttpError(400, name + " is not a text");
  return found->get<std::string>();
}

std::string read_text(const Json& fields, const std::string& name) {
  if (auto text = read_optional_text(fields, name)) return std::move(*text);
  throw missing(name);
}

std::string read_line(const Json& fields, const std::string& name) {
  auto line = read_text(fields, name);
  if (line.find_first_of("\r\n") != line.npos)
    throw HttpError(400, name + " has several lines; send one line");
  return line;
}

TranslateRequest read_line_request(const Json& fields) {
  TranslateRequest request;
  request.texts.push_back(read_line(fields, "q"));
  request.source = read_text(fields, "source");
  request.target = read_text(fields, "target");
  return request;
}

std::vector<std::string> read_texts(const Json& fields, const std::string& name) {
  const auto found = fields.find(name);
  if (found == fields.end() || !found->is_array()) return {read_text(fields, name)};
  std::vector<std::string> texts;
  for (const auto& text : *found) {
    if (!text.is_string()) throw HttpError(400, name + " is not a text or a list of texts");
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

bool read_flag(const Json& fields, const std::string& name) {
  const auto found = fields.find(name);
  if (found == fields.end() || found->is_null() || *found == false) return false;
  if (*found == true || *found == "true" || *found == "1") return true;
  if (*found == "false" || *found == "0") return false;
  throw HttpError(400, name + " is neither true nor false");
}

std::optional<std::int64_t> read_number(const Json& fields, const std::string& name,
                                        const NumberRange& range) {
  const auto found = fields.find(name);
  if (found == fields.end() || found->is_null()) return std::nullopt;
  std::int64_t number = range.least - 1;
  if (found->is_number_integer()) {
    number = found->get<std::int64_t>();
  } else if (found->is_string()) {
    const auto text = found->get<std::string>();
    const bool is_number =
        !text.empty() && text.size() <= 3 &&
        std::ranges::all_of(text, [](char digit) { return digit >= '0' && digit <= '9'; });
    if (is_number) number = std::stoll(text);
  }
  if (number < range.least || number > range.most)
    throw HttpError(
        400, fmt::format("{} is not a whole number from {} to {}", name, range.least, range.most));
  return number;
}

std::int64_t count_characters(const std::vector<std::string>& texts) {
  std::int64_t characters = 0;
  for (const auto& text : texts) characters += static_cast<std::int64_t>(count_code_points(text));
  return characters;
}

void check_characters(const std::vector<std::string>& texts, const ServeLimits& limits) {
  const auto characters = count_characters(texts);
  if (characters > limits.characters)
    throw HttpError(413, fmt::format("the request has {} characters; at most {} are possible",
                                     characters, limits.characters));
}

void check_sizes(const std::vector<std::string>& texts, const ServeLimits& limits) {
  if (std::ssize(texts) > limits.texts)
    throw HttpError(413, fmt::format("the request has {} texts; at most {} are possible",
                                     texts.size(), limits.texts));
  check_characters(texts, limits);
}

HttpReply json_reply(const Json& body, int status) {
  return {.status = status,
          .body = body.dump(-1, ' ', false, Json::error_handler_t::replace),
          .headers = {}};
}

}  // namespace tfm
