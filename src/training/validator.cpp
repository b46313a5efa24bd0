#include "tfm/training/validator.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "tfm/core/clock.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/core/progress_line.h"
#include "tfm/data/batcher.h"
#include "tfm/data/pair_alignments.h"
#include "tfm/metrics/bleu.h"
#include "tfm/metrics/chrf.h"
#include "tfm/model/token_log_probs.h"
#include "tfm/nn/evaluation_mode.h"
#include "tfm/tensor/runtime.h"
#include "tfm/translate/batch_limit.h"
#include "tfm/translate/translator.h"

namespace tfm {

Validator::Validator(const Config& config, ParallelText text, const TokenizerPair& tokenizers)
    : config_(config) {
  add("", std::move(text), tokenizers);
  if (config.data.valid_alignment.empty()) return;
  alignments_ = read_gold_alignments(this->text(), config.data.valid_alignment);
}

void Validator::add(const std::string& name, ParallelText text, const TokenizerPair& tokenizers) {
  auto corpus = encode_corpus(text, tokenizers, config_.data, thread_count());
  for (const auto& line : describe(corpus.skipped))
    log_warn("validation loss{}: {}", name.empty() ? "" : " of " + name, line);
  const auto tokenizer = resolve_bleu_tokenizer(config_.training.bleu_tokenizer, text.target);
  sets_.push_back({name, std::move(text), std::move(corpus), tokenizer});
}

std::vector<std::vector<std::int64_t>> Validator::batches(const Corpus& corpus) const {
  const auto limit = batch_limit(config_.decoding);
  return length_sorted_batches(corpus.lengths(/*fixed=*/0), limit.type, limit.size);
}

double Validator::mean_loss(const Corpus& corpus, TranslationModel& model,
                            const ShowProgress& show) const {
  double sum = 0;
  int64_t tokens = 0;
  std::size_t done = 0;
  const torch::NoGradGuard no_grad;
  const EvalModeGuard evaluation(*model.network);
  for (const auto& indices : batches(corpus)) {
    throw_if_interrupted("a validation");
    show("loss", static_cast<double>(done) / static_cast<double>(corpus.examples.size()));
    done += indices.size();
    const auto batch = make_forced_batch(corpus, indices, model.tokenizers);
    sum -= token_log_probs(model, batch).sum(torch::kFloat64).item<double>();
    tokens += batch.targets.numel();
  }
  return sum / static_cast<double>(tokens);
}

DecodingConfig validation_decoding_config(const Config& config) {
  auto decoding = config.decoding;
  decoding.shortlist = "none";
  return decoding;
}

DecodingConfig Validator::decoding_of(const Set& set) const {
  auto decoding = validation_decoding_config(config_);
  if (!set.text.tag.empty()) {
    decoding.source_tag = set.text.tag;
    decoding.target_language.clear();  // it would replace the tag
  }
  return decoding;
}

Validation Validator::score(const Set& set, TranslationModel& model) const {
  Validation result;
  ProgressLine line;
  const ShowProgress show = [&](const char* work, double share) {
    if (line.is_due(steady_seconds()))
      line.show(fmt::format("validation{}{}: {}, {:.0f}%", set.name.empty() ? "" : " ", set.name,
                            work, 100 * share));
  };
  result.scores.loss = mean_loss(set.corpus, model, show);
  const auto count = line_count(set);
  const std::vector<std::string> source(
      set.text.source.begin(), set.text.source.begin() + static_cast<std::ptrdiff_t>(count));
  const std::vector<std::string> reference(
      set.text.target.begin(), set.text.target.begin() + static_cast<std::ptrdiff_t>(count));
  TranslationRequest request;
  request.scores = false;
  request.interruptible = true;
  request.on_batch = [&](double share) { show("translation", share); };
  const auto translations = Translator(model, decoding_of(set)).translate(source, request);
  for (const auto& translation : translations) result.hypotheses.push_back(translation.text());
  result.scores.bleu =
      corpus_bleu(result.hypotheses, reference, {.tokenizer = set.bleu_tokenizer}).score;
  result.scores.bleu_tokenizer = set.bleu_tokenizer;
  result.scores.chrf = corpus_chrf(result.hypotheses, reference);
  const auto samples = std::min(count, static_cast<std::size_t>(config_.training.valid_samples));
  for (std::size_t i = 0; i < samples; ++i) {
    const auto line = i * count / samples;
    result.samples.push_back({source[line], reference[line], result.hypotheses[line]});
  }
  return result;
}

Validation Validator::run(TranslationModel& model) const {
  auto result = score(sets_.front(), model);
  for (auto set = sets_.begin() + 1; set != sets_.end(); ++set)
    result.extra_sets.emplace_back(set->name, score(*set, model).scores);
  return result;
}

std::size_t Validator::line_count(const Set& set) const {
  const auto limit = config_.training.valid_sentences;
  return limit > 0 ? std::min(set.text.source.size(), static_cast<std::size_t>(limit))
                   : set.text.source.size();
}

std::size_t Validator::line_count() const {
  return std::accumulate(sets_.begin(), sets_.end(), std::size_t{0},
                         [&](std::size_t sum, const Set& set) { return sum + line_count(set); });
}

void Validator::probe_peak_memory(TranslationModel& model) const {
  const torch::NoGradGuard no_grad;
  const EvalModeGuard evaluation(*model.network);
  for (const auto& set : sets_) {
    if (set.corpus.examples.empty()) continue;
    throw_if_interrupted("a validation");
    const auto all = batches(set.corpus);
    const auto& longest = all.front();
    token_log_probs(model, make_forced_batch(set.corpus, longest, model.tokenizers));
    std::vector<std::string> lines(
        set.text.source.begin(),
        set.text.source.begin() + static_cast<std::ptrdiff_t>(line_count(set)));
    std::ranges::sort(lines, std::ranges::greater(), &std::string::size);
    const auto translate = [&](std::size_t batch) {  // translates one batch per thread
      const auto count =
          std::min(lines.size(), batch * static_cast<std::size_t>(at::get_num_threads()));
      Translator(model, decoding_of(set))
          .translate({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count)},
                     {.interruptible = true});
    };
    translate(longest.size());
    std::ranges::reverse(lines);
    translate(std::ranges::max(all, {}, [](const auto& batch) { return batch.size(); }).size());
  }
}

}  // namespace tfm
