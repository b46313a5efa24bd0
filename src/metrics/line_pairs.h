// What every metric of two texts asks first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// Throws DataError naming the metric where the texts have different numbers of lines.
void require_pairs(std::string_view metric, const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references);

}  // namespace tfm
