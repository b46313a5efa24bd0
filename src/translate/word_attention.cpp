#include "word_attention.h"

namespace tfm {
namespace {

/// Returns a matrix [words, tokens] with a 1 for each token that is part of the word and 0
/// elsewhere. The eos of the source follows the last word and is not part of any word.
torch::Tensor membership(const std::vector<int64_t>& word_of, int64_t tokens) {
  const int64_t words = word_of.empty() ? 0 : word_of.back() + 1;
  auto matrix = torch::zeros({words, tokens});
  for (std::size_t i = 0; i < word_of.size(); ++i) matrix[word_of[i]][static_cast<int64_t>(i)] = 1;
  return matrix;
}

}  // namespace

torch::Tensor word_attention(const TranslationModel& model, const EncodedPair& pair,
                             const torch::Tensor& weights, bool shifted) {
  const auto source_words = word_ids(*model.tokenizers.source, source_without_eos(model, pair));
  const auto target_words = word_ids(*model.tokenizers.target, pair.target);
  const auto tokens = static_cast<int64_t>(pair.target.size());
  const int64_t first = shifted ? 1 : 0;  // the decoder has read token t in row t + 1
  const auto rows = weights.slice(-2, first, first + tokens)
                        .slice(-1, 0, static_cast<int64_t>(pair.source.size()))
                        .cpu();
  const auto from = membership(source_words, static_cast<int64_t>(pair.source.size()));
  return torch::matmul(membership(target_words, tokens), torch::matmul(rows, from.t()));
}

WordAlignment links_from_argmax(const torch::Tensor& best) {
  WordAlignment links;
  for (int64_t word = 0; word < best.size(0); ++word)
    links.push_back({best[word].item<int64_t>(), word});
  return links;
}

}  // namespace tfm
