// Reads a PairSource to its end, for tests of the sources.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tfm/corpus/pair_source.h"

namespace tfm {

/// Returns "line:source|target" for each pair, with "!" before malformed ones.
inline std::vector<std::string> read_pairs(PairSource& source) {
  std::vector<std::string> found;
  CorpusPair pair;
  while (source.next(pair))
    found.push_back(
        fmt::format("{}{}:{}|{}", pair.malformed ? "!" : "", pair.line, pair.source, pair.target));
  return found;
}

}  // namespace tfm
