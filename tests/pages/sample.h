// Creates artificial attention for tests. A weight depends on its position, so that tests notice
// swapped indices, and every row sums to 1.
#pragma once

#include <string>
#include <vector>

#include "tfm/pages/attention.h"

namespace tfm {

/// Returns weights that depend on layer, head, row and column. If `causal` is true, cells right of
/// the diagonal are zero.
inline AttentionWeights made_up_weights(std::int64_t layers, std::int64_t heads, std::int64_t rows,
                                        std::int64_t columns, bool causal = false) {
  AttentionWeights weights{layers, heads, rows, columns, {}};
  for (std::int64_t map = 0; map < layers * heads; ++map) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t visible = causal ? row + 1 : columns;
      std::vector<double> parts;
      double sum = 0;
      for (std::int64_t column = 0; column < visible; ++column) {
        parts.push_back(
            1.0 + static_cast<double>((7 * map + 5 * row + 3 * column + map * row * column) % 11));
        sum += parts.back();
      }
      parts.resize(static_cast<std::size_t>(columns), 0.0);
      for (const double part : parts) weights.values.push_back(static_cast<float>(part / sum));
    }
  }
  return weights;
}

/// Returns a sentence with 2 layers and 3 heads. EOS ends the source and the target output, and BOS
/// begins the target input, so S and T are one more than the numbers of tokens given.
inline SentenceAttention made_up_sentence(const std::vector<std::string>& source,
                                          const std::vector<std::string>& target) {
  SentenceAttention sentence;
  sentence.source = source;
  sentence.source.push_back("</s>");
  sentence.target_input = target;
  sentence.target_input.insert(sentence.target_input.begin(), "<s>");
  sentence.target_output = target;
  sentence.target_output.push_back("</s>");
  for (const std::string& token : source) sentence.source_text += token;
  for (const std::string& token : target) sentence.target_text += token;
  const auto s = static_cast<std::int64_t>(sentence.source.size()),
             t = static_cast<std::int64_t>(sentence.target_input.size());
  sentence.encoder = made_up_weights(2, 3, s, s);
  sentence.decoder = made_up_weights(2, 3, t, t, true);
  sentence.cross = made_up_weights(2, 3, t, s);
  return sentence;
}

}  // namespace tfm
