// The API of LibreTranslate as values: requests are read from the parameters that a client sends,
// and replies are made from translations.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tfm/serve/engine.h"
#include "tfm/serve/http_message.h"
#include "tfm/serve/language_detection.h"
#include "tfm/serve/language_router.h"
#include "tfm/serve/limits.h"

namespace tfm {

enum class TextFormat { text, html };

/// The body of POST /translate.
struct TranslateRequest {
  std::vector<std::string> texts;
  bool is_list = false;  ///< true if q is a list, so that the reply has lists
  std::string source;    ///< a code, or "auto"
  std::string target;
  TextFormat format = TextFormat::text;
  std::int64_t alternatives = 0;  ///< the most further translations per text
};

/// Throws HttpError 400 if a parameter is missing or wrong, and 413 if the texts are too long.
TranslateRequest read_translate_request(const nlohmann::json& fields, const ServeLimits& limits);
/// Returns the text of POST /detect. Throws as read_translate_request does.
std::string read_detect_request(const nlohmann::json& fields, const ServeLimits& limits);

/// The translation of one text.
struct TextTranslation {
  std::vector<std::string> candidates;  ///< best first
  std::optional<Detection> detected;    ///< set if the source language was "auto"
};

HttpReply translate_reply(const TranslateRequest& request,
                          const std::vector<TextTranslation>& translations);
HttpReply detect_reply(const Detection& detection);
/// The reply to GET /languages.
HttpReply languages_reply(const LanguageRouter& router);
/// The reply to GET /frontend/settings, which lists what the service can do.
HttpReply settings_reply(const LanguageRouter& router, const ServeLimits& limits);
/// The reply {"status": status}.
HttpReply status_reply(int code, const std::string& status);

}  // namespace tfm
