#include "tfm/search/sampling.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "tfm/search/candidates.h"
#include "tfm/search/logits_processor.h"

namespace tfm {
namespace {

bool likelier(const ScoredToken& a, const ScoredToken& b) {
  return a.log_prob != b.log_prob ? a.log_prob > b.log_prob : a.token < b.token;
}

void apply_top_k(std::vector<ScoredToken>& candidates, std::int64_t count) {
  if (count <= 0 || count >= std::ssize(candidates)) return;
  std::ranges::partial_sort(candidates, candidates.begin() + count, likelier);
  candidates.resize(static_cast<std::size_t>(count));
}

/// What each candidate weighs, at most 1.
class Weights {
 public:
  Weights(const std::vector<ScoredToken>& candidates, double temperature)
      : highest_(std::ranges::min(candidates, likelier).log_prob), temperature_(temperature) {}

  double of(const ScoredToken& candidate) const {
    return std::exp((candidate.log_prob - highest_) / temperature_);
  }

  double total(const std::vector<ScoredToken>& candidates) const {
    double sum = 0;
    for (const ScoredToken& candidate : candidates) sum += of(candidate);
    return sum;
  }

 private:
  double highest_;
  double temperature_;
};

/// Those that together weigh at least share of all, the likeliest first; at least one. A heap: the
/// nucleus is small beside the vocabulary.
void apply_top_p(std::vector<ScoredToken>& candidates, const Weights& weights, double share) {
  if (share >= 1) return;
  const double wanted = share * weights.total(candidates);
  const auto heap_order = [](const ScoredToken& a, const ScoredToken& b) { return likelier(b, a); };
  std::ranges::make_heap(candidates, heap_order);
  std::vector<ScoredToken> nucleus;
  for (double sum = 0; !candidates.empty() && (nucleus.empty() || sum < wanted);) {
    std::ranges::pop_heap(candidates, heap_order);
    nucleus.push_back(candidates.back());
    candidates.pop_back();
    sum += weights.of(nucleus.back());
  }
  candidates = std::move(nucleus);
}

std::mt19937_64 generator_of(std::int64_t seed, std::uint64_t stream, std::size_t sample) {
  const auto key = static_cast<std::uint64_t>(seed);
  std::seed_seq sequence{key >> 32, key & 0xFFFFFFFF, stream >> 32, stream & 0xFFFFFFFF,
                         static_cast<std::uint64_t>(sample)};
  return std::mt19937_64(sequence);
}

/// In [0, 1). The standard's own distributions differ from one library to the next.
double uniform(std::mt19937_64& generator) {
  return static_cast<double>(generator() >> 11) * 0x1p-53;
}

/// A sample that goes on.
struct Drawing {
  std::size_t sentence = 0;
  std::size_t sample = 0;
  std::int32_t parent = 0;  // the row of the model's last call that it continues
  std::int32_t last = 0;    // its newest token
  std::mt19937_64 generator;
};

class SampleSearch {
 public:
  SampleSearch(StepModel& model, const SearchRequest& spec, const DecodingConfig& config)
      : model_(model),
        spec_(spec),
        config_(config),
        rules_(spec, config),
        selector_(model.vocab_size(), spec.forbidden) {
    const auto samples = static_cast<std::size_t>(std::max<std::int64_t>(config.n_best, 1));
    result_.assign(spec.max_lengths.size(), std::vector<Hypothesis>(samples));
    for (std::size_t i = 0; i < result_.size(); ++i) {
      const std::uint64_t stream = spec.streams.empty() ? i : spec.streams[i];
      for (std::size_t k = 0; k < samples; ++k) {
        active_.push_back(
            {i, k, static_cast<std::int32_t>(i), spec.bos, generator_of(config.seed, stream, k)});
      }
    }
  }

  SearchResult run() {
    while (!active_.empty()) step();
    return std::move(result_);
  }

 private:
  void step() {
    std::vector<std::int32_t> parents;
    std::vector<std::int32_t> tokens;
    for (const Drawing& drawing : active_) {
      parents.push_back(drawing.parent);
      tokens.push_back(drawing.last);
    }
    const auto log_probs = model_.advance(parents, tokens);
    const auto vocab_size = static_cast<std::size_t>(model_.vocab_size());
    for (std::size_t row = 0; row < active_.size(); ++row) {
      active_[row].parent = static_cast<std::int32_t>(row);
      extend(active_[row], log_probs.subspan(row * vocab_size, vocab_size));
    }
    std::erase_if(active_, [](const Drawing& drawing) { return drawing.last < 0; });
  }

  /// Leaves last at -1 where the sample is finished.
  void extend(Drawing& drawing, std::span<const float> next) {
    Hypothesis& hypothesis = result_[drawing.sentence][drawing.sample];
    const auto token = draw(drawing, hypothesis, next);
    drawing.last = -1;
    const bool full = std::ssize(hypothesis.tokens) >= spec_.max_lengths[drawing.sentence];
    if (!token || (full && *token != spec_.eos))
      return finish_truncated(hypothesis, config_.length_penalty);
    rules_.take(hypothesis, *token, next);
    if (!hypothesis.ended) drawing.last = *token;
  }

  std::optional<std::int32_t> draw(Drawing& drawing, const Hypothesis& hypothesis,
                                   std::span<const float> next) const {
    const ProcessedRow row = rules_.apply(drawing.sentence, hypothesis, next);
    return sample_token(selector_.all(row.open), config_, uniform(drawing.generator));
  }

  StepModel& model_;
  const SearchRequest& spec_;
  const DecodingConfig& config_;
  LogitsProcessor rules_;
  CandidateSelector selector_;
  std::vector<Drawing> active_;
  SearchResult result_;
};

}  // namespace

std::optional<std::int32_t> sample_token(std::vector<ScoredToken> candidates,
                                         const DecodingConfig& config, double u) {
  if (candidates.empty()) return std::nullopt;
  if (config.temperature == 0) return std::ranges::min(candidates, likelier).token;
  apply_top_k(candidates, config.sampling_topk);
  const Weights weights(candidates, config.temperature);
  apply_top_p(candidates, weights, config.sampling_topp);
  double left = u * weights.total(candidates);
  for (const ScoredToken& candidate : candidates) {
    left -= weights.of(candidate);
    if (left < 0) return candidate.token;
  }
  return candidates.back().token;  // rounding left a rest
}

SearchResult sample_search(StepModel& model, const SearchRequest& spec,
                           const DecodingConfig& config) {
  return SampleSearch(model, spec, config).run();
}

}  // namespace tfm
