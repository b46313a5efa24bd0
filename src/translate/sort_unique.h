#pragma once

#include <algorithm>

#include "tfm/tokenizer/vocab.h"

namespace tfm {

/// Sorts the tokens and removes duplicates.
inline void sort_unique(TokenIds& tokens) {
  std::ranges::sort(tokens);
  const auto doubles = std::ranges::unique(tokens);
  tokens.erase(doubles.begin(), doubles.end());
}

}  // namespace tfm
