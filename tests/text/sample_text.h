// Generates training data for small vocabularies: sentences of an invented language, which depend
// only on the seed and the number of lines.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

inline std::vector<std::string> sample_text(std::uint32_t seed, std::size_t lines = 400) {
  const std::vector<std::string> syllables{"ka",   "lo",  "mü", "ter", "haus", "en",
                                           "bier", "sch", "i",  "ra",  "ön",   "da"};
  std::mt19937 random(seed);
  std::vector<std::string> text(lines);
  for (std::string& line : text) {
    for (std::size_t word = 0; word < 3 + random() % 6; ++word) {
      if (word > 0) line += ' ';
      for (std::size_t i = 0; i < 1 + random() % 3; ++i)
        line += syllables[random() % syllables.size()];
    }
    line += '.';
  }
  return text;
}

inline TokenizerConfig subword_config(SubwordAlgorithm algorithm, std::int64_t vocab_size) {
  TokenizerConfig config;
  config.algorithm = algorithm;
  config.vocab_size = vocab_size;
  return config;
}

inline std::vector<std::string> all_pieces(const Tokenizer& tokenizer) {
  std::vector<std::string> pieces;
  for (TokenId id = 0; id < tokenizer.size(); ++id) pieces.push_back(tokenizer.piece(id));
  return pieces;
}

}  // namespace tfm
