// JSON as a line of output.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tfm {

/// One line of JSON for every reader of lines; what is not valid UTF-8 is replaced.
std::string json_line(const nlohmann::ordered_json& object);

}  // namespace tfm
