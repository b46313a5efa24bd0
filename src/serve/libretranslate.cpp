#include "libretranslate.h"

#include <algorithm>

#include "tfm/documents/document.h"
#include "words_json.h"

namespace tfm {
namespace {

using Json = nlohmann::json;

TextFormat read_format(const Json& fields) {
  const auto name = read_optional_text(fields, "format").value_or("text");
  if (name == "text" || name.empty()) return TextFormat::text;
  if (name == "html") return TextFormat::html;
  throw HttpError(400, "format is neither text nor html");
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
  request.alternatives =
      read_number(fields, "alternatives", {.least = 0, .most = max_alternatives}).value_or(0);
  request.details.words = read_flag(fields, "words");
  if (request.details.words && request.format != TextFormat::text)
    throw HttpError(400, "words are those of the format text, not of html");
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
  auto words = Json::array();
  for (const auto& translation : translations) {
    const auto& candidates = translation.candidates;
    texts.push_back(candidates.front());
    const auto count =
        std::min(candidates.size(), static_cast<std::size_t>(request.alternatives) + 1);
    alternatives.push_back(Json(std::vector(
        candidates.begin() + 1, candidates.begin() + static_cast<std::ptrdiff_t>(count))));
    if (translation.detected) detected.push_back(to_json(*translation.detected));
    pivots.push_back(translation.pivot);
    words.push_back(words_json(translation.lines, count));
  }
  auto body = Json::object();
  const auto put = [&](const char* name, const Json& list) {
    body[name] = request.is_list ? list : list.front();
  };
  put("translatedText", texts);
  if (request.alternatives > 0) put("alternatives", alternatives);
  if (request.details.words) put("words", words);
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
  check_characters({suggestion.text, suggestion.translation}, limits);
  return suggestion;
}

HttpReply suggestion_reply() { return json_reply({{"success", true}}); }

}  // namespace tfm
