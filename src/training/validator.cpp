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

Validator::Validator(const Config& config, ParallelText text, const TokenizerPair& tokenizers)
    : config_(config), text_(std::move(text)), corpus_(encode_corpus(text_, tokenizers, config.data)) {
  for (const auto& line : describe(corpus_.skipped)) spdlog::warn("validation loss: {}", line);
  if (config.data.valid_alignment.empty()) return;
  alignments_ = read_alignments(config.data.valid_alignment);
  if (std::ssize(alignments_) < text_.line.back()) {
    throw DataError(config.data.valid_alignment, fmt::format("has {} lines for {} of the validation text", alignments_.size(), text_.line.back()),
                    "Give one alignment a line of the text.");
  }
}

double Validator::mean_loss(TranslationModel& model) const {
  const torch::NoGradGuard no_grad;
  const EvaluationMode evaluation(*model.network);
  std::vector<int64_t> lengths;
  lengths.reserve(corpus_.examples.size());
  for (const auto& example : corpus_.examples) lengths.push_back(example.length());
  double sum = 0;
  int64_t tokens = 0;
  const BatchFormat format{.source = model.tokenizers.source->special(), .target = model.tokenizers.target->special()};
  for (const auto& indices : batches_by_length(lengths, config_.decoding.batch_size)) {
    const auto batch = make_batch(corpus_, indices, format).to(model.device);
    const auto logits = model.network(batch.source, batch.target_input);
    sum += cross_entropy_sums(logits, batch.target_output, format.target.pad, 0).plain.item<double>();
    tokens += batch.target_tokens;
  }
  return sum / static_cast<double>(tokens);
}

Validation Validator::run(TranslationModel& model) const {
  Validation result;
  result.loss = mean_loss(model);
  const auto limit = config_.training.valid_sentences;
  const auto count = limit > 0 ? std::min<std::size_t>(text_.source.size(), static_cast<std::size_t>(limit)) : text_.source.size();
  const std::vector<std::string> source(text_.source.begin(), text_.source.begin() + static_cast<std::ptrdiff_t>(count));
  const std::vector<std::string> reference(text_.target.begin(), text_.target.begin() + static_cast<std::ptrdiff_t>(count));
  for (const auto& translation : Translator(model, config_.decoding).translate(source)) result.hypotheses.push_back(translation.text());
  result.bleu = corpus_bleu(result.hypotheses, reference).score;
  result.chrf = corpus_chrf(result.hypotheses, reference);
  return result;
}

}  // namespace tfm
