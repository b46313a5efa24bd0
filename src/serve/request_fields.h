// The parameters of a request, whichever way the client sends them: in the query of the address, as
// a form (application/x-www-form-urlencoded or multipart/form-data), or as a JSON object.
#pragma once

#include <nlohmann/json.hpp>

#include "tfm/serve/http_message.h"

namespace tfm {

/// The most objects and lists that may enclose a value in the JSON body of a request.
inline constexpr std::size_t max_json_depth = 16;

/// Returns a JSON object with the parameters; those of the body take precedence. A parameter of a
/// form or query is a string, or a list of strings if it occurs several times. A file of a form has
/// its bytes in the parameter "file" and its name in "file_name". Throws HttpError 400
/// if the body is not valid or has another form, or if a text is not valid UTF-8.
nlohmann::json read_fields(const HttpRequest& request);

}  // namespace tfm
