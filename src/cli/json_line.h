// Formats JSON objects for JSON Lines output.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tfm {

/// Returns the object as JSON on a single line. Unicode line breaks in texts are escaped, and
/// invalid UTF-8 is replaced.
std::string json_line(const nlohmann::ordered_json& object);

}  // namespace tfm
