#include "deepl.h"

#include <algorithm>

#include "tfm/core/spelling.h"

namespace tfm {
namespace {

using Json = nlohmann::json;

std::string to_upper(std::string text) {
  for (char& letter : text) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return text;
}

TextFormat read_tag_handling(const Json& fields) {
  const auto name = read_optional_text(fields, "tag_handling").value_or("");
  if (name.empty()) return TextFormat::text;
  if (name == "html" || name == "xml") return TextFormat::html;
  throw HttpError(400, "tag_handling is neither html nor xml");
}

void refuse_unsupported(const Json& fields) {
  const auto formality = read_optional_text(fields, "formality").value_or("default");
  if (formality == "more" || formality == "less")
    throw HttpError(400, "formality is not supported; prefer_more and prefer_less have no effect");
  for (const char* name : {"glossary_id", "style_id", "translation_memory_id"}) {
    if (read_optional_text(fields, name))
      throw HttpError(400, std::string(name) + " is not supported");
  }
}

}  // namespace

std::vector<std::string> deepl_codes(const std::vector<std::string>& languages) {
  std::vector<std::string> codes;
  for (const auto& language : languages) codes.push_back(to_upper(language));
  return codes;
}

TranslateRequest read_deepl_request(const Json& fields, const ServeLimits& limits) {
  refuse_unsupported(fields);
  TranslateRequest request;
  request.is_list = true;
  request.texts = read_texts(fields, "text");
  const auto source = read_optional_text(fields, "source_lang").value_or("");
  request.source = source.empty() ? detected_source : to_lower(source);
  request.target = to_lower(read_text(fields, "target_lang"));
  request.format = read_tag_handling(fields);
  check_sizes(request.texts, limits);
  return request;
}

bool shows_billed_characters(const Json& fields) {
  return read_flag(fields, "show_billed_characters");
}

HttpReply deepl_reply(const TranslateRequest& request,
                      const std::vector<TextTranslation>& translations, bool shows_characters) {
  auto list = Json::array();
  for (std::size_t i = 0; i < translations.size(); ++i) {
    const auto& detected = translations[i].detected;
    Json entry = {
        {"detected_source_language", to_upper(detected ? detected->language : request.source)},
        {"text", translations[i].candidates.front()}};
    if (shows_characters) entry["billed_characters"] = count_characters({request.texts[i]});
    list.push_back(std::move(entry));
  }
  return json_reply({{"translations", std::move(list)}});
}

HttpReply deepl_languages_reply(const LanguageRouter& router, const Json& fields) {
  const auto type = read_optional_text(fields, "type").value_or("source");
  if (type != "source" && type != "target")
    throw HttpError(400, "type is neither source nor target");
  auto list = Json::array();
  for (const auto& code : type == "source" ? router.sources() : router.targets()) {
    Json entry = {{"language", to_upper(code)}, {"name", language_name(code)}};
    if (type == "target") entry["supports_formality"] = false;
    list.push_back(std::move(entry));
  }
  return json_reply(list);
}

HttpReply deepl_usage_reply(std::int64_t characters) {
  constexpr std::int64_t unlimited = 1'000'000'000'000;
  return json_reply({{"character_count", characters}, {"character_limit", unlimited}});
}

}  // namespace tfm
