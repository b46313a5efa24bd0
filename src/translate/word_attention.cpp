#include "word_attention.h"

namespace tfm {
namespace {

/// Returns a matrix [words, tokens] with a 1 for each token that is part of the word and 0
/// elsewhere.
torch::Tensor membership(const std::vector<int64_t>& word_of) {
  const int64_t words = word_of.empty() ? 0 : word_of.back() + 1;
  auto matrix = torch::zeros({words, std::ssize(word_of)});
  for (std::size_t i = 0; i < word_of.size(); ++i) matrix[word_of[i]][static_cast<int64_t>(i)] = 1;
  return matrix;
}

}  // namespace

torch::Tensor word_attention(const TranslationModel& model, const EncodedPair& pair,
                             const torch::Tensor& weights, bool shifted) {
  const auto source_words = word_ids(*model.tokenizers.source, source_text(pair));
  const auto target_words = word_ids(*model.tokenizers.target, pair.target);
  // The decoder predicts target token t in row t, or in row t + 1 if it reads a tag first, and has
  // read the token one row later.
  const int64_t first = (pair.target_tag ? 1 : 0) + (shifted ? 1 : 0);
  const auto rows = weights.slice(-2, first, first + std::ssize(pair.target))
                        .slice(-1, static_cast<int64_t>(pair.source.text_begin),
                               static_cast<int64_t>(pair.source.text_end))
                        .cpu();
  return torch::matmul(membership(target_words), torch::matmul(rows, membership(source_words).t()));
}

WordAlignment links_from_argmax(const torch::Tensor& best) {
  WordAlignment links;
  for (int64_t word = 0; word < best.size(0); ++word)
    links.push_back({best[word].item<int64_t>(), word});
  return links;
}

}  // namespace tfm
