#include "libretranslate.h"

#include <fmt/format.h>

#include <algorithm>

#include "tfm/documents/document.h"

namespace tfm {
namespace {

using Json = nlohmann::json;

TextFormat read_format(const Json& fields) {
  const auto name = read_optional_text(fields, "format").value_or("text");
  if (name == "text" || name.empty()) return TextFormat::text;
  if (name == "html") return TextFormat::html;
  throw HttpError(400, "format is neither text nor html");
}

/// Returns a whole number, which a form sends as text.
std::int64_t read_alternatives(const Json& fields) {
  const auto found = fields.find("alternatives");
  if (found == fields.end() || found->is_null()) return 0;
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
  if (number < 0 || number > max_alternatives)
    throw HttpError(
        400, fmt::format("alternatives is not a whole number from 0 to {}", max_alternatives));
  return number;
}

Json to_json(const Detection& detection) {
  return {{"language", detection.language}, {"confidence", detection.confidence}};
}

Json named_language(const std::string& code) {
  return {{"code", code}, {"name", language_name(code)}};
}

}  // namespace

TranslateRequest read_libretranslate_request(const Json& fields, const ServeLimits& limits) {
  TranslateRequest request;
  request.is_list = fields.contains("q") && fields["q"].is_array();
  request.texts = read_texts(fields, "q");
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

HttpReply libretranslate_reply(const TranslateRequest& request,
                               const std::vector<TextTranslation>& translations) {
  auto texts = Json::array();
  auto alternatives = Json::array();
  auto detected = Json::array();
  auto pivots = Json::array();
  for (const auto& translation : translations) {
    const auto& candidates = translation.candidates;
    texts.push_back(candidates.front());
    const auto count =
        std::min(candidates.size(), static_cast<std::size_t>(request.alternatives) + 1);
    alternatives.push_back(Json(std::vector(
        candidates.begin() + 1, candidates.begin() + static_cast<std::ptrdiff_t>(count))));
    if (translation.detected) detected.push_back(to_json(*translation.detected));
    pivots.push_back(translation.pivot);
  }
  auto body = Json::object();
  const auto put = [&](const char* name, const Json& list) {
    body[name] = request.is_list ? list : list.front();
  };
  put("translatedText", texts);
  if (request.alternatives > 0) put("alternatives", alternatives);
  if (request.detects_source()) put("detectedLanguage", detected);
  const auto has_pivot = [](const auto& translation) { return !translation.pivot.empty(); };
  if (std::ranges::any_of(translations, has_pivot)) put("pivot", pivots);
  return json_reply(body);
}

HttpReply detect_reply(const Detection& detection) {
  return json_reply(Json::array({to_json(detection)}));
}

HttpReply languages_reply(const LanguageRouter& router) {
  auto list = Json::array();
  // Clients take the names of the targets from this list.
  for (const auto& code : router.languages()) {
    auto entry = named_language(code);
    entry["targets"] = router.targets(code);
    list.push_back(std::move(entry));
  }
  return json_reply(list);
}

HttpReply settings_reply(const LanguageRouter& router, const ServeLimits& limits,
                         const ServiceFeatures& features) {
  const auto& first = router.models().front();
  auto endings = Json::array();
  for (const auto& [ending, format] : document_endings()) endings.push_back(ending);
  return json_reply(
      {{"apiKeys", features.keys},
       {"bodyLimit", limits.body_bytes},
       {"charLimit", limits.characters},
       {"filesTranslation", true},
       {"frontendTimeout", 500},
       {"keyRequired", features.keys},
       {"language",
        {{"source", named_language(first.source)}, {"target", named_language(first.target)}}},
       {"suggestions", features.suggestions},
       {"supportedFilesFormat", std::move(endings)}});
}

Suggestion read_suggestion(const Json& fields, const ServeLimits& limits) {
  Suggestion suggestion{read_text(fields, "q"), read_text(fields, "s"), read_text(fields, "source"),
                        read_text(fields, "target")};
  check_sizes({suggestion.text, suggestion.translation}, limits);
  return suggestion;
}

HttpReply suggestion_reply() { return json_reply({{"success", true}}); }

}  // namespace tfm
