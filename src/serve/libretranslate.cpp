#include "libretranslate.h"

#include <fmt/format.h>

#include <algorithm>

#include "tfm/text/utf8.h"

namespace tfm {
namespace {

using Json = nlohmann::json;

HttpReply json_reply(const Json& body, int status = 200) {
  return {.status = status,
          .body = body.dump(-1, ' ', false, Json::error_handler_t::replace),
          .headers = {}};
}

HttpError missing(const std::string& name) {
  return {400, "Invalid request: missing " + name + " parameter"};
}

std::string read_text(const Json& fields, const std::string& name) {
  const auto found = fields.find(name);
  if (found == fields.end() || found->is_null()) throw missing(name);
  if (!found->is_string()) throw HttpError(400, name + " is not a text");
  return found->get<std::string>();
}

std::int64_t count_characters(const std::string& text) {
  return std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; });
}

void check_sizes(const std::vector<std::string>& texts, const ServeLimits& limits) {
  if (std::ssize(texts) > limits.texts)
    throw HttpError(413, fmt::format("the request has {} texts; at most {} are possible",
                                     texts.size(), limits.texts));
  std::int64_t characters = 0;
  for (const auto& text : texts) characters += count_characters(text);
  if (characters > limits.characters)
    throw HttpError(413, fmt::format("the request has {} characters; at most {} are possible",
                                     characters, limits.characters));
}

TextFormat read_format(const Json& fields) {
  if (!fields.contains("format") || fields["format"].is_null()) return TextFormat::text;
  const auto name = read_text(fields, "format");
  if (name == "text" || name.empty()) return TextFormat::text;
  if (name == "html") return TextFormat::html;
  throw HttpError(400, "format is neither text nor html");
}

/// Returns a whole number, which a form sends as text.
std::int64_t read_alternatives(const Json& fields) {
  const auto found = fields.find("alternatives");
  if (found == fields.end() || found->is_null()) return 0;
  constexpr std::int64_t most = 100;
  std::int64_t number = -1;
  if (found->is_number_integer()) {
    number = found->get<std::int64_t>();
  } else if (found->is_string()) {
    const auto text = found->get<std::string>();
    const bool is_number =
        !text.empty() && text.size() <= 3 &&
        std::ranges::all_of(text, [](char digit) { return digit >= '0' && digit <= '9'; });
    if (is_number) number = std::stoll(text);
  }
  if (number < 0 || number > most)
    throw HttpError(400, fmt::format("alternatives is not a whole number from 0 to {}", most));
  return number;
}

Json to_json(const Detection& detection) {
  return {{"language", detection.language}, {"confidence", detection.confidence}};
}

Json named_language(const std::string& code) {
  return {{"code", code}, {"name", language_name(code)}};
}

}  // namespace

TranslateRequest read_translate_request(const Json& fields, const ServeLimits& limits) {
  TranslateRequest request;
  const auto texts = fields.find("q");
  if (texts == fields.end() || texts->is_null()) throw missing("q");
  request.is_list = texts->is_array();
  if (request.is_list) {
    for (const auto& text : *texts) {
      if (!text.is_string()) throw HttpError(400, "q is not a text or a list of texts");
      request.texts.push_back(text.get<std::string>());
    }
  } else {
    request.texts.push_back(read_text(fields, "q"));
  }
  request.source = read_text(fields, "source");
  request.target = read_text(fields, "target");
  request.format = read_format(fields);
  request.alternatives = read_alternatives(fields);
  check_sizes(request.texts, limits);
  return request;
}

std::string read_detect_request(const Json& fields, const ServeLimits& limits) {
  auto text = read_text(fields, "q");
  check_sizes({text}, limits);
  return text;
}

HttpReply translate_reply(const TranslateRequest& request,
                          const std::vector<TextTranslation>& translations) {
  auto texts = Json::array();
  auto alternatives = Json::array();
  auto detected = Json::array();
  for (const auto& translation : translations) {
    const auto& candidates = translation.candidates;
    texts.push_back(candidates.front());
    const auto count =
        std::min(candidates.size(), static_cast<std::size_t>(request.alternatives) + 1);
    alternatives.push_back(Json(std::vector(
        candidates.begin() + 1, candidates.begin() + static_cast<std::ptrdiff_t>(count))));
    if (translation.detected) detected.push_back(to_json(*translation.detected));
  }
  auto body = Json::object();
  const auto put = [&](const char* name, const Json& list) {
    body[name] = request.is_list ? list : list.front();
  };
  put("translatedText", texts);
  if (request.alternatives > 0) put("alternatives", alternatives);
  if (request.source == "auto") put("detectedLanguage", detected);
  return json_reply(body);
}

HttpReply detect_reply(const Detection& detection) {
  return json_reply(Json::array({to_json(detection)}));
}

HttpReply languages_reply(const LanguageRouter& router) {
  auto list = Json::array();
  std::vector<std::string> listed;
  const auto add = [&](const std::string& code) {
    if (std::ranges::find(listed, code) != listed.end()) return;
    listed.push_back(code);
    auto entry = named_language(code);
    entry["targets"] = router.targets(code);
    list.push_back(std::move(entry));
  };
  for (const auto& model : router.models()) add(model.source);
  // Clients take the names of the targets from this list.
  for (const auto& model : router.models()) add(model.target);
  return json_reply(list);
}

HttpReply settings_reply(const LanguageRouter& router, const ServeLimits& limits) {
  const auto& first = router.models().front();
  return json_reply(
      {{"apiKeys", false},
       {"charLimit", limits.characters},
       {"filesTranslation", false},
       {"frontendTimeout", 500},
       {"keyRequired", false},
       {"language",
        {{"source", named_language(first.source)}, {"target", named_language(first.target)}}},
       {"suggestions", false},
       {"supportedFilesFormat", Json::array()}});
}

HttpReply status_reply(int code, const std::string& status) {
  return json_reply({{"status", status}}, code);
}

}  // namespace tfm
