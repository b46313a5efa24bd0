// Counts skipped and truncated pairs by reason.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/data/corpus.h"

namespace tfm {

/// Adds one pair or line to the count of its reason. Reasons are in the order in which they first
/// occur.
void record_skip(std::vector<Skipped>& skipped, const Skipped& what, const LinePlace& place);

/// Adds the counts of a later part of the text.
void add_skips(std::vector<Skipped>& skipped, const std::vector<Skipped>& later);

/// Return the file of the source side or of the target side. For a TSV file, both return that file.
const std::filesystem::path& source_file(const ParallelFiles& files);
const std::filesystem::path& target_file(const ParallelFiles& files);

}  // namespace tfm
