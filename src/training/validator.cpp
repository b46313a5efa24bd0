#include "tfm/training/validator.h"

#include <algorithm>

#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/data/batch.h"
#include "tfm/data/batcher.h"
#include "tfm/metrics/bleu.h"
#include "tfm/metrics/chrf.h"
#include "tfm/nn/evaluation_mode.h"
#include "tfm/training/loss.h"
#include "tfm/translate/translator.h"

namespace tfm {

double Validation::score(BestBy by) const {
  switch (by) {
    case BestBy::bleu:
      return bleu;
    case BestBy::chrf:
      return chrf;
    case BestBy::loss:
      break;
  }
  return -loss;
}

Validator::Validator(const Config& config, ParallelText text, const TokenizerPair& tokenizers) : config_(config) {
  add("", std::move(text), tokenizers);
  if (config.data.valid_alignment.empty()) return;
  alignments_ = read_alignments(config.data.valid_alignment);
  const auto lines = this->text().line.back();
  if (std::ssize(alignments_) < lines) {
    throw DataError(config.data.valid_alignment, fmt::format("has {} lines for {} of the validation text", alignments_.size(), lines),
                    "Give one alignment a line of the text.");
  }
}

void Validator::add(const std::string& name, ParallelText text, const TokenizerPair& tokenizers) {
  auto corpus = encode_corpus(text, tokenizers, config_.data);
  for (const auto& line : describe(corpus.skipped)) spdlog::warn("validation loss{}: {}", name.empty() ? "" : " of " + name, line);
  sets_.push_back({name, std::move(text), std::move(corpus)});
}

double Validator::mean_loss(const Corpus& corpus, TranslationModel& model) const {
  const torch::NoGradGuard no_grad;
  const EvaluationMode evaluation(*model.network);
  std::vector<int64_t> lengths;
  lengths.reserve(corpus.examples.size());
  for (const auto& example : corpus.examples) lengths.push_back(example.length());
  double sum = 0;
  int64_t tokens = 0;
  const BatchFormat format{.source = model.tokenizers.source->special(), .target = model.tokenizers.target->special()};
  for (const auto& indices : batches_by_length(lengths, config_.decoding.batch_type, config_.decoding.batch_size)) {
    const auto batch = make_batch(corpus, indices, format).to(model.device);
    const auto logits = model.network(batch.source, batch.target_input);
    sum += cross_entropy_sums(logits, batch.target_output, format.target.pad, 0).plain.item<double>();
    tokens += batch.target_tokens;
  }
  return sum / static_cast<double>(tokens);
}

DecodingConfig decoding_in_training(const Config& config) {
  auto decoding = config.decoding;
  decoding.shortlist = "none";
  return decoding;
}

Validation Validator::score(const Set& set, TranslationModel& model) const {
  Validation result;
  result.loss = mean_loss(set.corpus, model);
  const auto limit = config_.training.valid_sentences;
  const auto count = limit > 0 ? std::min<std::size_t>(set.text.source.size(), static_cast<std::size_t>(limit)) : set.text.source.size();
  const std::vector<std::string> source(set.text.source.begin(), set.text.source.begin() + static_cast<std::ptrdiff_t>(count));
  const std::vector<std::string> reference(set.text.target.begin(), set.text.target.begin() + static_cast<std::ptrdiff_t>(count));
  for (const auto& translation : Translator(model, decoding_in_training(config_)).translate(source)) result.hypotheses.push_back(translation.text());
  result.bleu = corpus_bleu(result.hypotheses, reference).score;
  result.chrf = corpus_chrf(result.hypotheses, reference);
  const auto samples = std::min(count, static_cast<std::size_t>(config_.training.valid_samples));
  for (std::size_t i = 0; i < samples; ++i) {
    const auto line = i * count / samples;
    result.samples.push_back({source[line], reference[line], result.hypotheses[line]});
  }
  return result;
}

Validation Validator::run(TranslationModel& model) const {
  auto result = score(sets_.front(), model);
  for (auto set = sets_.begin() + 1; set != sets_.end(); ++set) {
    const auto other = score(*set, model);
    result.others.push_back({set->name, other.loss, other.bleu, other.chrf});
  }
  return result;
}

}  // namespace tfm
