// POST /attention as values: the attention of a model that reads a line and its translation, for
// the page attention.html (pages/attention.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "tfm/serve/http_message.h"
#include "tfm/serve/limits.h"
#include "translate_request.h"

namespace tfm {

/// Returns the request. Throws HttpError 400 if a parameter is missing or wrong, and 413 if the
/// texts are too long.
TranslateRequest read_attention_request(const nlohmann::json& fields, const ServeLimits& limits);

/// Returns the reply (attention_page_data). It is an error if the text already is in the target
/// language.
HttpReply attention_reply(const TranslateRequest& request,
                          std::vector<TextTranslation> translations);

}  // namespace tfm
