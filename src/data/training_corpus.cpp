#include "tfm/data/training_corpus.h"

#include <array>
#include <mutex>
#include <random>
#include <utility>

namespace tfm {
namespace {

/// Returns the seed for sampling an epoch.
std::uint32_t sampling_seed(std::uint64_t seed, std::int64_t epoch) {
  std::seed_seq mixed{seed, static_cast<std::uint64_t>(epoch)};
  std::array<std::uint32_t, 1> word{};
  mixed.generate(word.begin(), word.end());
  return word[0];
}

}  // namespace

TrainingCorpus::TrainingCorpus(const ParallelText& text, const TokenizerPair& tokenizers,
                               const DataConfig& config, std::uint64_t seed, std::int64_t threads)
    : text_(&text),
      tokenizers_(&tokenizers),
      config_(config),
      seed_(seed),
      corpus_(encode_corpus(text, tokenizers, config, threads)) {
  if (config_.subword_sampling_strength() > 0) default_examples_ = corpus_.examples;
}

void TrainingCorpus::begin_epoch(std::int64_t epoch) {
  if (config_.subword_sampling_strength() <= 0) return;
  if (next_epoch_ != epoch) {
    next_ = resegment_on_new_thread(epoch);
  }
  corpus_.examples = next_.get();
  next_epoch_ = epoch + 1;
  next_ = resegment_on_new_thread(next_epoch_);
}

/// Samples on a new thread. SentencePiece has a generator per thread and seeds it only when the
/// thread samples for the first time, so on a new thread the samples depend on the seed alone. The
/// seed is global, so only one thread samples at a time, even for different corpora.
std::future<ExampleList> TrainingCorpus::resegment_on_new_thread(std::int64_t epoch) const {
  return std::async(std::launch::async, [this, epoch] {
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    seed_sampling(sampling_seed(seed_, epoch));
    return resegment();
  });
}

ExampleList TrainingCorpus::resegment() const {
  const double strength = config_.subword_sampling_strength();
  const auto limit = static_cast<std::size_t>(config_.resolved_max_length());
  ExampleList sampled;
  for (std::size_t i = 0; i < default_examples_.size(); ++i) {
    if (ending_) break;
    const auto line = static_cast<std::size_t>(corpus_.lines[i]);
    const Example usual = default_examples_[i];
    Example example{tokenizers_->source->sample(text_->source[line], strength),
                    tokenizers_->target->sample(text_->target[line], strength), usual.line};
    if (config_.source_eos) example.source.push_back(tokenizers_->source->special().eos);
    const bool fits = example.source.size() <= limit && example.target.size() < limit;
    sampled.push_back(fits ? example : usual);
  }
  return sampled;
}

ParallelText with_reversed_pairs(ParallelText text) {
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  const auto source = text.source;
  append(text.source, text.target);
  append(text.target, source);
  append(text.line, std::vector(text.line));
  return text;
}

}  // namespace tfm
