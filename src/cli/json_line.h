// JSON objects as lines of output.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tfm {

/// Returns the object as JSON without any line break, including those of Unicode. Invalid UTF-8 is
/// replaced.
std::string json_line(const nlohmann::ordered_json& object);

}  // namespace tfm
