#include "request_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "multipart.h"
#include "tfm/core/json_nesting.h"
#include "tfm/core/spelling.h"
#include "tfm/text/percent_encoding.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// Decodes %XX, and + as a space. Throws HttpError 400 if the text is not valid UTF-8.
std::string decode_form_text(std::string_view text) {
  std::string with_spaces(text);
  std::ranges::replace(with_spaces, '+', ' ');
  auto decoded = decode_percent(with_spaces);
  if (invalid_utf8(decoded)) throw HttpError(400, "the form is not valid UTF-8");
  return decoded;
}

/// Adds a parameter. A second value of a name makes a list.
void add_field(nlohmann::json& fields, const std::string& name, std::string value) {
  auto& field = fields[name];
  if (field.is_null()) {
    field = std::move(value);
  } else {
    if (!field.is_array()) field = nlohmann::json::array({std::move(field)});
    field.push_back(std::move(value));
  }
}

/// Adds the parameters "a=1&b=2" to the fields. A second value of a name makes a list.
void add_form(std::string_view form, nlohmann::json& fields) {
  auto added = nlohmann::json::object();
  while (!form.empty()) {
    const auto end = std::min(form.find('&'), form.size());
    const auto pair = form.substr(0, end);
    form.remove_prefix(std::min(end + 1, form.size()));
    if (pair.empty()) continue;
    const auto equals = std::min(pair.find('='), pair.size());
    const auto name = decode_form_text(pair.substr(0, equals));
    auto value = decode_form_text(pair.substr(std::min(equals + 1, pair.size())));
    add_field(added, name, std::move(value));
  }
  fields.update(added);
}

nlohmann::json parse_json(const std::string& body) {
  if (json_nesting(body) > max_json_depth)
    throw HttpError(
        400, fmt::format("the JSON body is nested more than {} levels deep", max_json_depth));
  try {
    return nlohmann::json::parse(body);
  } catch (const nlohmann::json::exception& error) {
    throw HttpError(400,
                    fmt::format("the body is not valid JSON (at byte {} of {})",
                                dynamic_cast<const nlohmann::json::parse_error*>(&error)
                                    ? static_cast<const nlohmann::json::parse_error&>(error).byte
                                    : 0,
                                body.size()));
  }
}

void add_multipart(const HttpRequest& request, nlohmann::json& fields) {
  auto added = nlohmann::json::object();
  for (const auto& part : read_multipart(request.header("content-type"), request.body)) {
    const bool is_file = part.name == "file";
    if (invalid_utf8(part.name) || invalid_utf8(part.file_name) ||
        (!is_file && invalid_utf8(part.content)))
      throw HttpError(400, "the form is not valid UTF-8");
    if (is_file) {
      added["file"] = std::string(part.content);
      added["file_name"] = part.file_name;
    } else {
      add_field(added, part.name, std::string(part.content));
    }
  }
  fields.update(added);
}

std::string body_type(const HttpRequest& request) {
  std::string type(request.header("content-type"));
  type.resize(std::min(type.find(';'), type.size()));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  return to_lower(type);
}

}  // namespace

nlohmann::json read_fields(const HttpRequest& request) {
  auto fields = nlohmann::json::object();
  add_form(request.query(), fields);
  if (request.body.empty()) return fields;
  const auto type = body_type(request);
  const auto begin = request.body.find_first_not_of(" \t\r\n");
  // Many clients do not name a type, or let curl name its default for a JSON body.
  const bool looks_like_json = begin != std::string::npos && request.body[begin] == '{';
  if (type == "application/json" || looks_like_json) {
    const auto parsed = parse_json(request.body);
    if (!parsed.is_object()) throw HttpError(400, "the JSON body is not an object");
    fields.update(parsed);
  } else if (type.empty() || type == "application/x-www-form-urlencoded") {
    add_form(request.body, fields);
  } else if (type == "multipart/form-data") {
    add_multipart(request, fields);
  } else {
    throw HttpError(400,
                    fmt::format("a body of the type '{}' can't be read; send application/json, "
                                "application/x-www-form-urlencoded or multipart/form-data",
                                repair_utf8(type)));
  }
  return fields;
}

}  // namespace tfm
