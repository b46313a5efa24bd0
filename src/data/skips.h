// Keeps count of what is left out, by reason, or stops at the first where the config says so.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/data/corpus.h"

namespace tfm {

/// "train.de:881"
std::string file_and_line(const std::filesystem::path& file, std::int64_t line);

/// Adds one case to its reason, in the order in which reasons first occur.
void record_skip(std::vector<Skipped>& skipped, const Skipped& what, const std::string& place);

/// The files' sides, the TSV for both where there is one.
const std::filesystem::path& source_file(const ParallelFiles& files);
const std::filesystem::path& target_file(const ParallelFiles& files);

}  // namespace tfm
