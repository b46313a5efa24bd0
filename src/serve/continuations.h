// POST /continuations as values: other ways to continue a translation after some of its words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "tfm/serve/http_message.h"
#include "tfm/serve/limits.h"
#include "translate_request.h"

namespace tfm {

/// The most continuations that a request may ask for.
inline constexpr std::int64_t max_continuations = 20;

/// Returns the request. Throws HttpError 400 if a parameter is missing or wrong, and 413 if the
/// texts are too long.
TranslateRequest read_continuations_request(const nlohmann::json& fields,
                                            const ServeLimits& limits);

/// Returns the reply: for each continuation, the whole translation and its words.
HttpReply continuations_reply(const TranslateRequest& request,
                              const std::vector<TextTranslation>& translations);

}  // namespace tfm
