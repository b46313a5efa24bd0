// Checks that two texts have equal line counts, which every metric requires.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// Throws DataError with the name of the metric if the texts have different numbers of lines.
void require_pairs(std::string_view metric, const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references);

}  // namespace tfm
