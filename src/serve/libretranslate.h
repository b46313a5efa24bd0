// The API of LibreTranslate as values: requests are read from the parameters that a client sends,
// and replies are made from translations.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tfm/serve/http_message.h"
#include "tfm/serve/language_detection.h"
#include "tfm/serve/language_router.h"
#include "tfm/serve/limits.h"
#include "tfm/serve/suggestion_file.h"
#include "translate_request.h"

namespace tfm {

/// The optional features of a service.
struct ServiceFeatures {
  bool keys = false;         ///< clients need keys
  bool suggestions = false;  ///< clients may suggest better translations
};

/// The most further translations that a request may ask for.
inline constexpr std::int64_t max_alternatives = 100;

/// Returns the body of POST /translate. Throws HttpError 400 if a parameter is missing or wrong,
/// and 413 if the texts are too long.
TranslateRequest read_libretranslate_request(const nlohmann::json& fields,
                                             const ServeLimits& limits);
/// Returns the text of POST /detect. Throws as read_translate_request does.
std::string read_detect_request(const nlohmann::json& fields, const ServeLimits& limits);

/// The reply to POST /translate.
HttpReply libretranslate_reply(const TranslateRequest& request,
                               const std::vector<TextTranslation>& translations);
HttpReply detect_reply(const Detection& detection);
/// The reply to GET /languages.
HttpReply languages_reply(const LanguageRouter& router);
/// The reply to GET /frontend/settings, which lists what the service can do.
HttpReply settings_reply(const LanguageRouter& router, const ServeLimits& limits,
                         const ServiceFeatures& features);

/// Returns the body of POST /suggest. Throws as read_translate_request does.
Suggestion read_suggestion(const nlohmann::json& fields, const ServeLimits& limits);
HttpReply suggestion_reply();

}  // namespace tfm
