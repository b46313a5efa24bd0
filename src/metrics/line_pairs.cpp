#include "line_pairs.h"

#include <fmt/format.h>

#include "tfm/core/error.h"

namespace tfm {

void require_pairs(std::string_view metric, const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references) {
  if (hypotheses.size() == references.size()) return;
  throw DataError(
      metric, fmt::format("{} hypotheses but {} references", hypotheses.size(), references.size()),
      "Give one reference line for each hypothesis line.");
}

}  // namespace tfm
