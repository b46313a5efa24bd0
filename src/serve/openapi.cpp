#include "openapi.h"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>

#include "continuations.h"
#include "deepl.h"
#include "libretranslate.h"
#include "tfm/documents/document.h"
#include "translate_request.h"

namespace tfm {
namespace {

using Json = nlohmann::json;

Json text(const std::string& description) {
  return {{"type", "string"}, {"description", description}};
}

/// A text without line breaks.
Json one_line(const std::string& description) {
  auto schema = text(description);
  schema["pattern"] = R"(^[^\r\n]*$)";
  return schema;
}

Json choice(const std::string& description, const Json& values) {
  auto schema = text(description);
  schema["enum"] = values;
  return schema;
}

Json number() { return {{"type", "number"}}; }

/// A form sends true and false as texts.
Json boolean() {
  return {{"anyOf",
           {{{"type", "boolean"}}, {{"type", "string"}, {"enum", {"true", "false", "1", "0"}}}}}};
}

Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json object(const Json& properties, const Json& required) {
  return {{"type", "object"}, {"properties", properties}, {"required", required}};
}

Json one_or_list(const Json& schema) { return {{"anyOf", {schema, list_of(schema)}}}; }

/// A parameter that may be missing; null and, for a choice, an empty text mean the same.
Json optional(Json schema) {
  schema["nullable"] = true;
  if (schema.contains("enum")) {
    schema["enum"].push_back("");
    schema["enum"].push_back(nullptr);
  }
  return schema;
}

Json not_empty(Json schema) {
  schema["minLength"] = 1;
  return schema;
}

Json key_schema() { return optional(text("the key of the client, if the service needs one")); }

Json texts_schema() {
  auto schema = one_or_list({{"type", "string"}});
  schema["description"] = "a text or a list of texts, within the limits of the service";
  return schema;
}

Json content(const Json& schema) { return {{"application/json", {{"schema", schema}}}}; }

Json response(const std::string& description, const Json& schema) {
  return {{"description", description}, {"content", content(schema)}};
}

/// Returns the responses of a page: the good one, and the errors that each page may have.
Json responses(const std::string& description, const Json& schema, const std::string& error) {
  Json all = {{"200", response(description, schema)}};
  const auto error_schema = object({{error, {{"type", "string"}}}}, {error});
  const std::vector<std::pair<const char*, const char*>> errors{
      {"400", "a parameter is missing or wrong, or the languages are not supported"},
      {"403", "the key is not valid"},
      {"413", "the request is too large"},
      {"429", "the client has sent too many requests"},
      {"500", "the translation failed"},
      {"503", "the service is busy or stopping"}};
  for (const auto& [status, reason] : errors) all[status] = response(reason, error_schema);
  return all;
}

/// Returns the schema of a form, which can contain neither null nor an empty list.
Json form_schema(Json schema) {
  for (auto& property : schema["properties"]) {
    if (property.erase("nullable") > 0 && property.contains("enum"))
      property["enum"].erase(property["enum"].size() - 1);  // null, which optional() has added
    if (!property.contains("anyOf")) continue;
    for (auto& form : property["anyOf"]) {
      if (form.contains("items")) form["minItems"] = 1;
    }
  }
  return schema;
}

/// A page to which parameters are sent as JSON or as a form.
Json post(const std::string& summary, const Json& schema, const Json& replies) {
  return {{"summary", summary},
          {"requestBody",
           {{"required", true},
            {"content",
             {{"application/json", {{"schema", schema}}},
              {"application/x-www-form-urlencoded", {{"schema", form_schema(schema)}}}}}}},
          {"responses", replies}};
}

Json get(const std::string& summary, const Json& schema) {
  return {{"summary", summary}, {"responses", {{"200", response(summary, schema)}}}};
}

/// A page that takes its parameters in the query, or in a body.
Json get_or_post(const Json& page) { return {{"get", page}, {"post", page}}; }

Json detection_schema() {
  return object({{"language", text("a code")},
                 {"confidence", {{"type", "number"}, {"minimum", 0}, {"maximum", 100}}}},
                {"language", "confidence"});
}

/// Returns which targets each source has, itself included: a list of which one entry fits.
Json language_pairs(const LanguageRouter& router) {
  const auto pair = [](const std::string& source, const std::vector<std::string>& targets) {
    return Json{
        {"properties", {{"source", {{"enum", {source}}}}, {"target", {{"enum", targets}}}}}};
  };
  auto pairs = Json::array({pair(detected_source, router.targets())});
  for (const std::string& source : router.languages()) {
    auto targets = router.targets(source);
    targets.push_back(source);
    pairs.push_back(pair(source, targets));
  }
  return pairs;
}

/// Returns the schema of a request that names languages and has these parameters, too.
Json language_request(const LanguageRouter& router, Json parameters, Json required) {
  auto sources = router.languages();
  sources.emplace_back(detected_source);
  parameters["source"] = choice("a code", sources);
  parameters["target"] = choice("a code", router.languages());
  parameters["api_key"] = key_schema();
  required.insert(required.end(), {"source", "target"});
  auto schema = object(parameters, required);
  schema["anyOf"] = language_pairs(router);
  return schema;
}

Json words_schema() {
  return list_of(object({{"text", {{"type", "string"}}},
                         {"probability", {{"type", "number"}, {"minimum", 0}, {"maximum", 1}}},
                         {"source", optional({{"type", "integer"}, {"minimum", 0}})}},
                        {"text", "probability", "source"}));
}

Json line_words_schema() {
  return object({{"source", list_of({{"type", "string"}})},
                 {"translations", list_of(words_schema())},
                 {"segments", {{"type", "integer"}, {"minimum", 1}}}},
                {"source", "translations", "segments"});
}

Json translate_page(const LanguageRouter& router) {
  auto schema = language_request(
      router,
      {{"q", texts_schema()},
       {"format", optional(choice("what the texts are", {"text", "html"}))},
       {"alternatives",
        optional({{"type", "integer"}, {"minimum", 0}, {"maximum", max_alternatives}})},
       {"words", optional(boolean())}},
      {"q"});
  // A reply has no words of marked-up text.
  schema["not"] = {{"properties",
                    {{"format", {{"enum", {"html"}}}}, {"words", {{"enum", {true, "true", "1"}}}}}},
                   {"required", {"format", "words"}}};
  const auto translated = object({{"translatedText", one_or_list({{"type", "string"}})},
                                  {"alternatives", list_of(one_or_list({{"type", "string"}}))},
                                  {"words", list_of(one_or_list(line_words_schema()))},
                                  {"detectedLanguage", one_or_list(detection_schema())},
                                  {"pivot", one_or_list({{"type", "string"}})}},
                                 {"translatedText"});
  return {
      {"post", post("Translates texts", schema, responses("translations", translated, "error"))}};
}

Json continuations_page(const LanguageRouter& router) {
  const auto schema = language_request(
      router,
      {{"q", one_line("a line")},
       {"prefix", optional(one_line("complete words that the translations begin with"))},
       {"count", optional({{"type", "integer"}, {"minimum", 1}, {"maximum", max_continuations}})}},
      {"q"});
  const auto continuation =
      object({{"text", text("a translation")}, {"words", words_schema()}}, {"text", "words"});
  const auto found = object({{"continuations", list_of(continuation)}}, {"continuations"});
  return {{"post", post("Continues a translation after a prefix, with different next words", schema,
                        responses("translations", found, "error"))}};
}

Json attention_page(const LanguageRouter& router) {
  const auto schema = language_request(router,
                                       {{"q", not_empty(one_line("a line"))},
                                        {"translation", not_empty(one_line("its translation"))}},
                                       {"q", "translation"});
  const auto found = object({{"attention", {{"type", "object"}}}, {"view", {{"type", "object"}}}},
                            {"attention", "view"});
  auto replies = responses("the data of the page attention.html", found, "error");
  replies["404"] = replies["400"];
  replies["404"]["description"] = "no model translates between the languages, which are the same";
  return {
      {"post", post("Returns the attention of a model that reads a translation", schema, replies)}};
}

/// Returns the media types of all formats of documents, separated by commas.
std::string document_media_types() {
  std::set<std::string_view> types;
  for (const auto& [ending, format] : document_endings()) types.insert(media_type(format));
  return fmt::format("{}", fmt::join(types, ", "));
}

/// A page that takes a file in a form.
Json translate_file_page(const LanguageRouter& router) {
  const auto schema =
      language_request(router, {{"file", {{"type", "string"}, {"format", "binary"}}}}, {"file"});
  const auto address =
      object({{"translatedFileUrl", text("where the translated file is")}}, {"translatedFileUrl"});
  return {{"post",
           {{"summary", "Translates a file"},
            {"requestBody",
             {{"required", true},
              {"content",
               {{"multipart/form-data",
                 {{"schema", form_schema(schema)},
                  {"encoding", {{"file", {{"contentType", document_media_types()}}}}}}}}}}},
            {"responses", responses("the address of the translated file", address, "error")}}}};
}

Json detect_page() {
  const auto schema =
      object({{"q", text("within the limits of the service")}, {"api_key", key_schema()}}, {"q"});
  return {{"post", post("Detects the language of a text", schema,
                        responses("one language", list_of(detection_schema()), "error"))}};
}

Json suggest_page(const LanguageRouter& router) {
  const auto schema = language_request(
      router, {{"q", {{"type", "string"}}}, {"s", text("a better translation of q")}}, {"q", "s"});
  auto replies = responses("the suggestion is kept",
                           object({{"success", {{"type", "boolean"}}}}, {"success"}), "error");
  replies["403"]["description"] = "the key is not valid, or suggestions are disabled";
  replies["507"] = replies["503"];
  replies["507"]["description"] = "the service has no space for further suggestions";
  return {{"post", post("Keeps a better translation that a client suggests", schema, replies)}};
}

Json deepl_translate_page(const LanguageRouter& router) {
  const auto schema =
      object({{"text", texts_schema()},
              {"source_lang",
               optional(choice("detected if it is missing", deepl_codes(router.sources())))},
              {"target_lang", choice("a code", deepl_codes(router.targets()))},
              {"tag_handling", optional(choice("what the texts are", {"html", "xml"}))},
              {"show_billed_characters", optional(boolean())}},
             {"text", "target_lang"});
  const auto translation = object({{"detected_source_language", text("a code")},
                                   {"text", text("the translation")},
                                   {"billed_characters", {{"type", "integer"}}}},
                                  {"detected_source_language", "text"});
  const auto translated = object({{"translations", list_of(translation)}}, {"translations"});
  return {{"post", post("Translates texts, as DeepL does", schema,
                        responses("translations", translated, "message"))}};
}

Json languages_page() {
  const auto language = object({{"code", text("a code")},
                                {"name", text("in English")},
                                {"targets", list_of(text("a code"))}},
                               {"code", "name", "targets"});
  return {{"get", get("Lists the languages", list_of(language))}};
}

Json deepl_languages_page() {
  auto page = get("Lists the languages, as DeepL does",
                  list_of(object({{"language", text("a code")}, {"name", text("in English")}},
                                 {"language", "name"})));
  page["parameters"] = {{{"name", "type"},
                         {"in", "query"},
                         {"schema", choice("which languages", {"source", "target"})}}};
  page["responses"]["400"] =
      response("the type is wrong", object({{"message", {{"type", "string"}}}}, {"message"}));
  return get_or_post(page);
}

Json status_page(const std::string& summary) {
  return {{"get", get(summary, object({{"status", {{"type", "string"}}}}, {"status"}))}};
}

Json pages(const LanguageRouter& router) {
  auto ready = status_page("200 while the service accepts requests");
  ready["get"]["responses"]["503"] =
      response("the service is stopping", object({{"status", {{"type", "string"}}}}, {"status"}));
  const Json plain = {{"text/plain", {{"schema", {{"type", "string"}}}}}};
  const Json metrics = {{"summary", "Metrics for Prometheus"},
                        {"responses", {{"200", {{"description", "metrics"}, {"content", plain}}}}}};
  return {{"/translate", translate_page(router)},
          {"/continuations", continuations_page(router)},
          {"/attention", attention_page(router)},
          {"/translate_file", translate_file_page(router)},
          {"/detect", detect_page()},
          {"/suggest", suggest_page(router)},
          {"/languages", languages_page()},
          {"/frontend/settings", {{"get", get("What the service offers", {{"type", "object"}})}}},
          {"/v2/translate", deepl_translate_page(router)},
          {"/v2/languages", deepl_languages_page()},
          {"/v2/usage",
           get_or_post(get("Counts characters, as DeepL does",
                           object({{"character_count", number()}, {"character_limit", number()}},
                                  {"character_count", "character_limit"})))},
          {"/spec", {{"get", get("This description", {{"type", "object"}})}}},
          {"/metrics", {{"get", metrics}}},
          {"/health", status_page("200 while the process runs")},
          {"/ready", ready}};
}

}  // namespace

HttpReply spec_reply(const LanguageRouter& router, const std::string& url_prefix) {
  return json_reply(
      {{"openapi", "3.0.3"},
       {"info", {{"title", "tfm"}, {"version", "1"}, {"description", "Translates texts"}}},
       {"servers", {{{"url", url_prefix.empty() ? "/" : url_prefix}}}},
       {"paths", pages(router)}});
}

}  // namespace tfm
