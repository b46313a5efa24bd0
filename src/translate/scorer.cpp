#include "tfm/translate/scorer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "ensemble.h"
#include "inference.h"
#include "tfm/core/out_of_memory.h"
#include "tfm/data/batcher.h"
#include "tfm/data/corpus.h"
#include "tfm/model/token_log_probs.h"
#include "tfm/text/utf8.h"
#include "tfm/translate/batch_limit.h"
#include "tfm/translate/sentence_frame.h"

namespace tfm {
namespace {

/// Returns the ensemble's log-probabilities [N] of the target tokens, given those of each model.
torch::Tensor mean_over_models(const std::vector<torch::Tensor>& log_probs, EnsembleMean mean) {
  if (log_probs.size() == 1) return log_probs.front();
  const auto all = torch::stack(log_probs);
  if (mean == EnsembleMean::log_probabilities) return all.mean(0);
  return all.logsumexp(0) - std::log(static_cast<double>(log_probs.size()));
}

std::int64_t longest_side(const std::vector<TranslationModel*>& models,
                          const DecodingConfig& decoding) {
  std::int64_t trained = std::numeric_limits<std::int64_t>::max();
  for (const TranslationModel* model : models)
    trained = std::min(trained, model->config.data.resolved_max_length());
  std::int64_t longest = std::max(trained, decoding.max_length);
  for (const TranslationModel* model : models) {  // bos or eos, and a tag, need learned positions
    const std::int64_t added = model->config.data.language_tags == LanguageTags::none ? 1 : 2;
    if (model->config.model.positions == Positions::learned)
      longest = std::min(longest, model->config.model.max_positions - added);
  }
  return longest;
}

}  // namespace

class Scorer::Network {
 public:
  Network(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding)
      : models_(models),
        model_(*models_.front()),
        decoding_(decoding),
        frame_(model_, decoding),
        max_length_(longest_side(models_, decoding)),
        inference_(models_, decoding) {}

  std::vector<PairScore> score(const std::vector<SentencePair>& pairs,
                               const std::function<void(double)>& on_batch) const;
  std::int64_t max_length() const { return max_length_; }

 private:
  Example encode(const SentencePair& pair, PairScore& score) const;
  Corpus encode(const std::vector<SentencePair>& pairs, std::vector<PairScore>& scores) const;
  std::vector<float> log_probs(const Corpus& corpus,
                               const std::vector<std::int64_t>& indices) const;
  void score_batch(const Corpus& corpus, std::span<const std::int64_t> indices,
                   std::vector<PairScore>& scores) const;

  std::vector<TranslationModel*> models_;
  const TranslationModel& model_;  // the first model; all models share its vocabularies
  DecodingConfig decoding_;
  SentenceFrame frame_;
  std::int64_t max_length_;
  Inference inference_;
};

Scorer::Scorer(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding)
    : network_((check_ensemble(models), std::make_unique<const Network>(models, decoding))) {}

Scorer::~Scorer() = default;

std::vector<PairScore> Scorer::score(const std::vector<SentencePair>& pairs,
                                     const std::function<void(double)>& on_batch) const {
  return network_->score(pairs, on_batch);
}

std::int64_t Scorer::max_length() const { return network_->max_length(); }

Example Scorer::Network::encode(const SentencePair& pair, PairScore& score) const {
  std::vector<std::string> unknown;
  const auto encode_side = [&](const Tokenizer& tokenizer, const std::string& text) {
    const bool broken = invalid_utf8(text).has_value();
    score.had_invalid_utf8 |= broken;
    return tokenizer.encode(broken ? repair_utf8(text) : text, &unknown);
  };
  Example example{encode_side(*model_.tokenizers.source, pair.source),
                  encode_side(*model_.tokenizers.target, pair.target), 0};
  example.source = frame_.add_to(std::move(example.source)).ids;
  score.unknown = std::ssize(unknown);
  const std::int64_t source_eos = model_.config.data.source_eos ? 1 : 0;
  score.too_long =
      std::max(std::ssize(example.source) - source_eos, std::ssize(example.target)) > max_length_;
  return example;
}

/// Returns the encoded pairs that are not too long. Sets the fields of `scores` that do not need
/// the network.
Corpus Scorer::Network::encode(const std::vector<SentencePair>& pairs,
                               std::vector<PairScore>& scores) const {
  const auto& target = *model_.tokenizers.target;
  Corpus corpus;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    PairScore& score = scores[i];
    auto example = encode(pairs[i], score);
    if (score.too_long) {
      score.log_prob = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    for (const TokenId id : example.target) score.tokens.push_back(target.piece(id));
    score.tokens.push_back(target.piece(target.special().eos));
    if (const auto tag = frame_.target_tag()) example.target.insert(example.target.begin(), *tag);
    corpus.examples.push_back(example);
    corpus.lines.push_back(static_cast<std::int64_t>(i));
  }
  return corpus;
}

/// Returns the log-probabilities of the target tokens of the examples at `indices`, one example
/// after the other.
std::vector<float> Scorer::Network::log_probs(const Corpus& corpus,
                                              const std::vector<std::int64_t>& indices) const {
  const auto batch = make_forced_batch(corpus, indices, model_.tokenizers);
  std::vector<torch::Tensor> by_model;
  for (std::size_t i = 0; i < models_.size(); ++i)
    by_model.push_back(token_log_probs(*models_[i], batch, inference_.context(i)));
  const auto mean = mean_over_models(by_model, decoding_.ensemble_mean).contiguous();
  const auto* first = mean.const_data_ptr<float>();
  return {first, first + mean.numel()};
}

/// Sets the fields of `scores` that need the network, for the examples at `indices`.
void Scorer::Network::score_batch(const Corpus& corpus, std::span<const std::int64_t> indices,
                                  std::vector<PairScore>& scores) const {
  const auto found = log_probs(corpus, {indices.begin(), indices.end()});
  auto next = found.begin();
  for (const std::int64_t index : indices) {
    if (frame_.target_tag()) ++next;  // the probability of the tag does not count
    PairScore& score =
        scores[static_cast<std::size_t>(corpus.lines[static_cast<std::size_t>(index)])];
    score.log_probs.assign(next, next + std::ssize(score.tokens));
    next += std::ssize(score.tokens);
    score.log_prob = std::accumulate(score.log_probs.begin(), score.log_probs.end(), 0.0);
  }
}

std::vector<PairScore> Scorer::Network::score(const std::vector<SentencePair>& pairs,
                                              const std::function<void(double)>& on_batch) const {
  const Inference::Use use(inference_);
  std::vector<PairScore> scores(pairs.size());
  const auto corpus = encode(pairs, scores);
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i < corpus.examples.size(); ++i)
    lengths.push_back(corpus.examples.lengths(i).longest());
  std::size_t done = 0;
  const auto limit = batch_limit(decoding_);
  for (const auto& batch : length_sorted_batches(lengths, limit.type, limit.size)) {
    halve_until_memory_suffices(batch.size(), [&](std::size_t begin, std::size_t end) {
      score_batch(corpus, std::span(batch).subspan(begin, end - begin), scores);
    });
    done += batch.size();
    if (on_batch) on_batch(static_cast<double>(done) / static_cast<double>(lengths.size()));
  }
  return scores;
}

void CorpusScore::add(const PairScore& pair) {
  if (pair.too_long) return;
  ++pairs;
  tokens += std::ssize(pair.tokens);
  log_prob += pair.log_prob;
}

double CorpusScore::perplexity() const { return std::exp(cross_entropy()); }

}  // namespace tfm
