#include "tfm/training/alignment_head_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tfm/core/clock.h"
#include "tfm/core/progress_line.h"
#include "tfm/metrics/alignment_error_rate.h"
#include "tfm/model/model_folder.h"
#include "tfm/translate/word_map.h"
#include "translate/attention_maps.h"
#include "translate/word_attention.h"

namespace tfm {
namespace {

using Words = std::vector<std::string>;

/// Returns the words of a sentence, each the concatenation of its pieces.
Words spell_words(const Tokenizer& tokenizer, std::span<const TokenId> ids) {
  Words words;
  const auto numbers = word_ids(tokenizer, ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    words.resize(static_cast<std::size_t>(numbers[i]) + 1);
    words.back() += tokenizer.piece(ids[i]);
  }
  return words;
}

/// Counts the sentence pairs that contain a source word, a target word, or both.
class Cooccurrence {
 public:
  void add(const Words& source, const Words& target) {
    const std::set<std::string> sources(source.begin(), source.end());
    const std::set<std::string> targets(target.begin(), target.end());
    for (const auto& s : sources) ++source_[s];
    for (const auto& t : targets) ++target_[t];
    for (const auto& s : sources) {
      for (const auto& t : targets) ++both_[{s, t}];
    }
  }

  double dice(const std::string& s, const std::string& t) const {
    return 2.0 * both_.at({s, t}) / (source_.at(s) + target_.at(t));
  }

 private:
  std::map<std::string, int> source_;
  std::map<std::string, int> target_;
  std::map<std::pair<std::string, std::string>, int> both_;
};

struct Sentence {
  EncodedPair pair;
  Words source;
  Words target;
  GoldAlignment gold{};  ///< empty without gold alignments, as the next two members are
  /// of each word above, the index of the word separated by white space, which `gold` refers to
  std::vector<std::int64_t> source_ids{};
  std::vector<std::int64_t> target_ids{};
};

std::vector<Sentence> encode_sentences(const TranslationModel& model, const ParallelText& text,
                                       const std::vector<GoldAlignment>& gold,
                                       std::size_t max_pairs) {
  DecodingConfig decoding;
  decoding.source_tag = text.tag;
  const SentenceFrame frame(model, decoding);
  std::vector<Sentence> sentences;
  for (std::size_t i = 0; i < text.source.size() && sentences.size() < max_pairs; ++i) {
    auto pair = encode_pair(model, text.source[i], text.target[i], frame);
    if (!pair) continue;
    auto source_words = spell_words(*model.tokenizers.source, source_text(*pair));
    auto target_words = spell_words(*model.tokenizers.target, pair->target);
    sentences.push_back({std::move(*pair), std::move(source_words), std::move(target_words)});
    if (gold.empty()) continue;
    Sentence& sentence = sentences.back();
    sentence.gold = gold.at(static_cast<std::size_t>(text.line[i] - 1));
    sentence.source_ids = text_word_ids(*model.tokenizers.source, text.source[i]);
    sentence.target_ids = text_word_ids(*model.tokenizers.target, text.target[i]);
  }
  return sentences;
}

/// The alignments by all candidates: each head, the mean of each layer's heads and the mean of all
/// heads. Each candidate has two variants. One uses the attention of the decoding step that
/// predicts the target token, the other (shifted) that of the step that reads the target token.
class Candidates {
 public:
  explicit Candidates(const ModelConfig& config) {
    for (const bool shifted : {false, true}) {
      for (int64_t layer = 0; layer < config.decoder_layers; ++layer) {
        for (int64_t head = 0; head < config.heads; ++head)
          choices.push_back({layer, head, shifted});
        choices.push_back({layer, std::nullopt, shifted});
      }
      choices.push_back({std::nullopt, std::nullopt, shifted});
    }
    alignments.resize(choices.size());
  }

  void add(TranslationModel& model, const Sentence& sentence) {
    const auto maps = compute_attention(model, {&sentence.pair, 1});
    std::vector<torch::Tensor> weights;  // each [H or 1, T, S], in the order of `choices`
    std::vector<torch::Tensor> means;
    for (const auto& layer : maps.decoder.cross_attention) {
      means.push_back(layer[0].mean(0, /*keepdim=*/true));
      weights.insert(weights.end(), {layer[0], means.back()});
    }
    weights.push_back(torch::cat(means).mean(0, /*keepdim=*/true));
    const auto all = torch::cat(weights);
    std::size_t next = 0;
    for (const bool shifted : {false, true}) {
      // [choices / 2, target words]: the source word of each target word
      const auto best = word_attention(model, sentence.pair, all, shifted).argmax(-1);
      for (int64_t i = 0; i < best.size(0); ++i)
        alignments[next++].push_back(links_from_argmax(best[i]));
    }
  }

  std::vector<AlignmentHead> choices;
  std::vector<std::vector<WordAlignment>> alignments;
};

double mean_dice(const Cooccurrence& counts, const std::vector<Sentence>& sentences,
                 const std::vector<WordAlignment>& alignments) {
  double sum = 0;
  std::size_t links = 0;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    for (const auto& link : alignments[i]) {
      sum += counts.dice(sentences[i].source.at(static_cast<std::size_t>(link.source)),
                         sentences[i].target.at(static_cast<std::size_t>(link.target)));
    }
    links += alignments[i].size();
  }
  return sum / static_cast<double>(std::max<std::size_t>(links, 1));
}

double error_rate(const std::vector<Sentence>& sentences,
                  const std::vector<WordAlignment>& alignments) {
  std::vector<WordAlignment> found;
  std::vector<GoldAlignment> gold;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const Sentence& sentence = sentences[i];
    found.push_back(text_links(alignments[i], sentence.source_ids, sentence.target_ids));
    gold.push_back(sentence.gold);
  }
  return alignment_error_rate(found, gold);
}

}  // namespace

std::optional<AlignmentHeadSelection> select_alignment_head(TranslationModel& model,
                                                            const ParallelText& text,
                                                            const std::vector<GoldAlignment>& gold,
                                                            std::size_t max_pairs) {
  const auto sentences = encode_sentences(model, text, gold, max_pairs);
  if (sentences.empty()) return std::nullopt;
  Cooccurrence counts;
  Candidates candidates(model.config.model);
  std::size_t done = 0;
  ProgressLine line;
  for (const auto& sentence : sentences) {
    if (line.is_due(steady_seconds()))
      line.show(fmt::format("selecting the attention head for alignments: {} of {} pairs", done,
                            sentences.size()));
    ++done;
    counts.add(sentence.source, sentence.target);
    candidates.add(model, sentence);
  }
  std::optional<AlignmentHeadSelection> best;
  for (std::size_t i = 0; i < candidates.choices.size(); ++i) {
    AlignmentHeadSelection choice{candidates.choices[i], std::nullopt,
                                  mean_dice(counts, sentences, candidates.alignments[i])};
    if (!gold.empty()) choice.error_rate = error_rate(sentences, candidates.alignments[i]);
    const bool better =
        !best || (gold.empty() ? choice.dice > best->dice : choice.error_rate < best->error_rate);
    if (better) best = choice;
  }
  return best;
}

}  // namespace tfm
