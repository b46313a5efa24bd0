// The description of the service's API in the form of OpenAPI 3, for clients and testers that read
// it.
#pragma once

#include <string>

#include "tfm/serve/http_message.h"
#include "tfm/serve/language_router.h"

namespace tfm {

/// The reply to GET /spec.
HttpReply spec_reply(const LanguageRouter& router, const std::string& url_prefix);

}  // namespace tfm
