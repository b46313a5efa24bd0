// Counts of skipped pairs as JSON. Places are stored as a side and a line.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "tfm/data/corpus.h"

namespace tfm {

/// `files` are those that the places name.
nlohmann::json skips_json(const std::vector<Skipped>& skipped, const ParallelFiles& files);

/// Reads what skips_json has returned, and adds `line_offset` to the lines. Throws
/// nlohmann::json::exception if it is malformed.
std::vector<Skipped> skips_from_json(const nlohmann::json& list, const ParallelFiles& files,
                                     std::int64_t line_offset);

}  // namespace tfm
