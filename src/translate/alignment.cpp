#include "tfm/translate/alignment.h"

#include <algorithm>
#include <string>

#include "attention_maps.h"
#include "tfm/core/out_of_memory.h"
#include "tfm/data/batcher.h"
#include "tfm/translate/batch_limit.h"
#include "word_attention.h"

namespace tfm {
namespace {

/// Returns the attention weights [1, T, S] of sentence `row` of the batch: those of one head, or
/// the mean of several heads.
torch::Tensor select_head(const AttentionMaps& maps, int64_t row, const AlignmentHead& choice) {
  const auto& layers = maps.decoder.cross_attention;
  if (!choice.layer) {
    std::vector<torch::Tensor> all;
    for (const auto& layer : layers) all.push_back(layer[row]);
    return torch::cat(all).mean(0, /*keepdim=*/true);
  }
  const auto weights = layers[static_cast<std::size_t>(*choice.layer)][row];
  return choice.head ? weights.slice(0, choice.head, *choice.head + 1)
                     : weights.mean(0, /*keepdim=*/true);
}

/// Returns the number of tokens of each word, [words].
torch::Tensor tokens_per_word(const std::vector<int64_t>& word_of) {
  auto counts = torch::zeros({word_of.empty() ? 0 : word_of.back() + 1});
  auto* count = counts.data_ptr<float>();
  for (const int64_t word : word_of) ++count[word];
  return counts;
}

/// Returns the share of the source words that no target word is linked to.
double share_unaligned(const WordAlignment& links, int64_t source_words) {
  std::vector<bool> is_linked(static_cast<std::size_t>(source_words));
  for (const auto& link : links) is_linked[static_cast<std::size_t>(link.source)] = true;
  return static_cast<double>(std::ranges::count(is_linked, false)) /
         static_cast<double>(source_words);
}

/// Returns the alignment of each pair. All pairs form one batch.
std::vector<MeasuredAlignment> align_batch(TranslationModel& model,
                                           const std::vector<EncodedPair>& pairs,
                                           const AlignmentHead& head) {
  std::vector<MeasuredAlignment> alignments(pairs.size());
  const auto maps = compute_attention(model, pairs);
  for (std::size_t row = 0; row < pairs.size(); ++row) {
    const auto weights = select_head(maps, static_cast<int64_t>(row), head);
    // [target words, source words]
    const auto words = word_attention(model, pairs[row], weights, head.shifted)[0];
    if (words.numel() == 0) continue;
    MeasuredAlignment& found = alignments[row];
    found.links = links_from_argmax(words.argmax(-1));
    std::ranges::sort(found.links);
    const auto tokens = tokens_per_word(word_ids(*model.tokenizers.target, pairs[row].target));
    found.attention = (words.amax(-1) / tokens).mean().item<double>();
    found.unaligned = share_unaligned(found.links, words.size(1));
  }
  return alignments;
}

/// Joins the alignments of a line's segments and numbers the words of each side across the whole
/// line. On either side, a segment may start within the last word of the previous segment.
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
    source_words_ = first_source + words_in(*model_.tokenizers.source, source_text(part));
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

AlignmentHead resolve_alignment_head(const TranslationModel& model,
                                     const DecodingConfig& decoding) {
  const std::string_view text = decoding.alignment_head;
  if (text == "auto") return model.best_alignment_head.value_or(AlignmentHead{});
  return parse_alignment_head(text, model.config.model);
}

std::vector<WordAlignment> align(TranslationModel& model, const std::vector<EncodedPair>& pairs,
                                 const AlignmentHead& head, const DecodingConfig& decoding) {
  std::vector<WordAlignment> alignments;
  for (auto& measured : measure_alignments(model, pairs, head, decoding))
    alignments.push_back(std::move(measured.links));
  return alignments;
}

std::vector<MeasuredAlignment> measure_alignments(TranslationModel& model,
                                                  const std::vector<EncodedPair>& pairs,
                                                  const AlignmentHead& head,
                                                  const DecodingConfig& decoding) {
  std::vector<int64_t> lengths;
  for (const auto& pair : pairs)
    lengths.push_back(static_cast<int64_t>(
        std::max(pair.source.ids.size(), pair.target.size() + (pair.target_tag ? 2 : 1))));
  std::vector<MeasuredAlignment> alignments(pairs.size());
  // The last digits of sums depend on padding and on the number of rows. A reproducible alignment
  // is therefore computed for one pair at a time.
  const auto limit =
      decoding.reproducible ? BatchLimit{BatchType::sentences, 1} : batch_limit(decoding);
  for (const auto& batch : length_sorted_batches(lengths, limit.type, limit.size)) {
    halve_until_memory_suffices(batch.size(), [&](std::size_t begin, std::size_t end) {
      std::vector<EncodedPair> members;
      for (std::size_t i = begin; i < end; ++i)
        members.push_back(pairs[static_cast<std::size_t>(batch[i])]);
      auto found = align_batch(model, members, head);
      for (std::size_t i = begin; i < end; ++i)
        alignments[static_cast<std::size_t>(batch[i])] = std::move(found[i - begin]);
    });
  }
  return alignments;
}

void align(TranslationModel& model, std::vector<Translation>& translations,
           const AlignmentHead& head, const DecodingConfig& decoding) {
  std::vector<EncodedPair> pairs;
  for (const auto& translation : translations) {
    for (const auto& candidate : translation.candidates)
      pairs.insert(pairs.end(), candidate.parts.begin(), candidate.parts.end());
  }
  const auto alignments = align(model, pairs, head, decoding);
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
