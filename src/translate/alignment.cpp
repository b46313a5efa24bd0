#include "tfm/translate/alignment.h"

#include <algorithm>
#include <string>

#include "tfm/data/batcher.h"

namespace tfm {
namespace {

/// [words, tokens], 1 where the token is of the word. The source's end mark, which follows the last
/// word, gets no row.
torch::Tensor membership(const std::vector<int64_t>& word_of, int64_t tokens) {
  const int64_t words = word_of.empty() ? 0 : word_of.back() + 1;
  auto matrix = torch::zeros({words, tokens});
  for (std::size_t i = 0; i < word_of.size(); ++i) matrix[word_of[i]][static_cast<int64_t>(i)] = 1;
  return matrix;
}

/// The chosen head's weights of sentence `row` of the batch, or the mean: [1, T, S].
torch::Tensor select_head(const AttentionMaps& maps, int64_t row, const AlignmentHead& choice) {
  const auto& layers = maps.decoder.cross_attention;
  if (!choice.layer) {
    std::vector<torch::Tensor> all;
    for (const auto& layer : layers) all.push_back(layer[row]);
    return torch::cat(all).mean(0, /*keepdim=*/true);
  }
  const auto weights = layers[static_cast<std::size_t>(*choice.layer)][row];
  return choice.head ? weights.slice(0, *choice.head, *choice.head + 1)
                     : weights.mean(0, /*keepdim=*/true);
}

/// Counts words on from part to part of a long line. A part may go on with the last word of the
/// part before it, on either side.
class PartJoiner {
 public:
  explicit PartJoiner(const TranslationModel& model) : model_(model) {}

  void add(const EncodedPair& part, const WordAlignment& links) {
    const int64_t first_source =
        source_words_ - (part.no_space_before_source && source_words_ > 0 ? 1 : 0);
    const int64_t first_target =
        target_words_ - (part.no_space_before_target && target_words_ > 0 ? 1 : 0);
    for (const auto& link : links)
      joined_.push_back({first_source + link.source, first_target + link.target});
    source_words_ =
        first_source + words_in(*model_.tokenizers.source, source_without_eos(model_, part));
    target_words_ = first_target + words_in(*model_.tokenizers.target, part.target);
  }

  WordAlignment take() { return std::move(joined_); }

 private:
  static int64_t words_in(const Tokenizer& tokenizer, std::span<const TokenId> ids) {
    return ids.empty() ? 0 : word_ids(tokenizer, ids).back() + 1;
  }

  const TranslationModel& model_;
  int64_t source_words_ = 0;
  int64_t target_words_ = 0;
  WordAlignment joined_;
};

}  // namespace

AlignmentHead resolve_alignment_head(const TranslationModel& model) {
  const std::string_view text = model.config.decoding.alignment_head;
  if (text == "auto") return model.best_alignment_head.value_or(AlignmentHead{});
  return parse_alignment_head(text, model.config.model);
}

torch::Tensor word_attention(const TranslationModel& model, const EncodedPair& pair,
                             const torch::Tensor& weights, bool after_reading) {
  const auto source_words = word_ids(*model.tokenizers.source, source_without_eos(model, pair));
  const auto target_words = word_ids(*model.tokenizers.target, pair.target);
  const auto tokens = static_cast<int64_t>(pair.target.size());
  const int64_t first = after_reading ? 1 : 0;  // row t + 1 has read token t
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

std::vector<WordAlignment> align(TranslationModel& model, const std::vector<EncodedPair>& pairs,
                                 const AlignmentHead& head) {
  std::vector<int64_t> lengths;
  for (const auto& pair : pairs)
    lengths.push_back(static_cast<int64_t>(std::max(pair.source.size(), pair.target.size() + 1)));
  std::vector<WordAlignment> alignments(pairs.size());
  // padding and the number of rows change sums: reproducible is one pair at a time
  const auto& decoding = model.config.decoding;
  for (const auto& batch : length_sorted_batches(
           lengths, decoding.reproducible ? BatchType::sentences : decoding.batch_type,
           decoding.reproducible ? 1 : decoding.batch_size)) {
    std::vector<EncodedPair> members;
    for (const int64_t i : batch) members.push_back(pairs[static_cast<std::size_t>(i)]);
    const auto maps = compute_attention(model, members);
    for (std::size_t row = 0; row < members.size(); ++row) {
      const auto weights = select_head(maps, static_cast<int64_t>(row), head);
      // [target words, source words]
      const auto words = word_attention(model, members[row], weights, head.after_reading)[0];
      if (words.numel() == 0) continue;
      auto& links = alignments[static_cast<std::size_t>(batch[row])];
      links = links_from_argmax(words.argmax(-1));
      std::sort(links.begin(), links.end());
    }
  }
  return alignments;
}

void align(TranslationModel& model, std::vector<Translation>& translations,
           const AlignmentHead& head) {
  std::vector<EncodedPair> pairs;
  for (const auto& translation : translations) {
    for (const auto& candidate : translation.candidates)
      pairs.insert(pairs.end(), candidate.parts.begin(), candidate.parts.end());
  }
  const auto alignments = align(model, pairs, head);
  auto next = alignments.begin();
  for (auto& translation : translations) {
    for (auto& candidate : translation.candidates) {
      PartJoiner joiner(model);
      for (const auto& part : candidate.parts) joiner.add(part, *next++);
      candidate.alignment = joiner.take();
    }
  }
}

}  // namespace tfm
