// The API of DeepL, version 2, as values. Its clients differ from those of LibreTranslate in the
// names of parameters, in capital letters of languages, and in the form of errors.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "tfm/serve/http_message.h"
#include "tfm/serve/language_router.h"
#include "tfm/serve/limits.h"
#include "translate_request.h"

namespace tfm {

/// Returns the codes as DeepL writes them: "EN-GB".
std::vector<std::string> deepl_codes(const std::vector<std::string>& languages);

/// Returns the body of POST /v2/translate. Parameters that only tune a translation (context,
/// split_sentences, preserve_formatting, model_type) have no effect. Throws HttpError 400 if a
/// parameter is missing or wrong, or asks for what the service can't do (glossaries, a formality);
/// and 413 if the texts are too long.
TranslateRequest read_deepl_request(const nlohmann::json& fields, const ServeLimits& limits);

/// Returns true if the reply to POST /v2/translate shall have the number of characters of each
/// text. Throws HttpError 400 if the parameter is neither true nor false.
bool shows_billed_characters(const nlohmann::json& fields);

/// The reply to POST /v2/translate.
HttpReply deepl_reply(const TranslateRequest& request,
                      const std::vector<TextTranslation>& translations, bool shows_characters);
/// The reply to /v2/languages. Throws HttpError 400 if the type is neither source nor target.
HttpReply deepl_languages_reply(const LanguageRouter& router, const nlohmann::json& fields);
/// The reply to /v2/usage. The limit is the one that DeepL states for unlimited use.
HttpReply deepl_usage_reply(std::int64_t characters);

}  // namespace tfm
