#include "tfm/search/sampling.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace tfm {
namespace {

void apply_top_k(std::vector<ScoredToken>& candidates, std::int64_t count) {
  if (count <= 0 || count >= std::ssize(candidates)) return;
  std::ranges::partial_sort(candidates, candidates.begin() + count, more_probable);
  candidates.resize(static_cast<std::size_t>(count));
}

/// Computes the unnormalised probability of a candidate after temperature has been applied. The
/// most probable candidate has weight 1.
class Weights {
 public:
  Weights(const std::vector<ScoredToken>& candidates, double temperature)
      : highest_(std::ranges::min(candidates, more_probable).log_prob), temperature_(temperature) {}

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

/// Keeps the most probable candidates that together have at least `share` of the total weight, and
/// at least one candidate. A heap is cheaper than sorting, because few candidates of a large
/// vocabulary are kept.
void apply_top_p(std::vector<ScoredToken>& candidates, const Weights& weights, double share) {
  if (share >= 1) return;
  const double wanted = share * weights.total(candidates);
  const auto heap_order = [](const ScoredToken& a, const ScoredToken& b) {
    return more_probable(b, a);
  };
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

std::mt19937_64 make_generator(std::int64_t seed, std::uint64_t stream, std::size_t sample) {
  const auto key = static_cast<std::uint64_t>(seed);
  std::seed_seq sequence{key >> 32, key & 0xFFFFFFFF, stream >> 32, stream & 0xFFFFFFFF,
                         static_cast<std::uint64_t>(sample)};
  return std::mt19937_64(sequence);
}

/// Returns a random number in [0, 1). Unlike the distributions of <random>, this function returns
/// the same numbers with every standard library.
double uniform(std::mt19937_64& generator) {
  return static_cast<double>(generator() >> 11) * 0x1p-53;
}

struct Sample {
  Hypothesis hypothesis;
  std::mt19937_64 generator;
};

class SampleSearch : public SentenceSearch {
 public:
  SampleSearch(const SearchContext& context, std::size_t sentence)
      : context_(context), sentence_(sentence) {
    const SearchRequest& request = context.request;
    const std::uint64_t stream = request.streams.empty() ? sentence : request.streams[sentence];
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(context.config.n_best, 1));
    for (std::size_t k = 0; k < count; ++k) {
      samples_.push_back({{}, make_generator(context.config.seed, stream, k)});
      sample_of_row_.push_back(k);
    }
    rows_.assign(count, {0, request.first_token(sentence)});
  }

  std::span<const SearchRow> rows() const override { return rows_; }

  void take(const StepOutput& output) override {
    const auto sample_of_row = std::exchange(sample_of_row_, {});
    rows_.clear();
    for (std::size_t row = 0; row < sample_of_row.size(); ++row) {
      const auto token = extend(samples_[sample_of_row[row]], output.next(row));
      if (!token) continue;
      rows_.push_back({static_cast<std::int32_t>(row), *token});
      sample_of_row_.push_back(sample_of_row[row]);
    }
  }

  std::vector<Hypothesis> result() override {
    std::vector<Hypothesis> hypotheses;
    for (Sample& sample : samples_) hypotheses.push_back(std::move(sample.hypothesis));
    return hypotheses;
  }

 private:
  /// Extends the sample by a random token. Returns that token, or nullopt if the sample has ended.
  std::optional<std::int32_t> extend(Sample& sample, const NextTokens& next) const {
    Hypothesis& hypothesis = sample.hypothesis;
    const auto token = draw(sample, next);
    const bool full = std::ssize(hypothesis.tokens) >= context_.request.max_lengths[sentence_];
    if (!token || (full && *token != context_.request.eos)) {
      finish_truncated(hypothesis, context_.config.length_penalty);
      return std::nullopt;
    }
    context_.processor.extend(hypothesis, *token, next);
    return hypothesis.finished ? std::nullopt : token;
  }

  std::optional<std::int32_t> draw(Sample& sample, const NextTokens& next) const {
    const ProcessedRow row = context_.processor.apply(sentence_, sample.hypothesis, next);
    return sample_token(context_.selector.all_candidates(row.candidate), context_.config,
                        uniform(sample.generator));
  }

  const SearchContext& context_;
  std::size_t sentence_;
  std::vector<Sample> samples_;
  std::vector<SearchRow> rows_;
  std::vector<std::size_t> sample_of_row_;  // for each row, the index of its sample in samples_
};

}  // namespace

std::optional<std::int32_t> sample_token(std::vector<ScoredToken> candidates,
                                         const DecodingConfig& config, double u) {
  if (candidates.empty()) return std::nullopt;
  if (config.temperature == 0) return std::ranges::min(candidates, more_probable).token;
  apply_top_k(candidates, config.sampling_topk);
  const Weights weights(candidates, config.temperature);
  apply_top_p(candidates, weights, config.sampling_topp);
  double left = u * weights.total(candidates);
  for (const ScoredToken& candidate : candidates) {
    left -= weights.of(candidate);
    if (left < 0) return candidate.token;
  }
  return candidates.back().token;  // reached only because of rounding errors
}

std::unique_ptr<SentenceSearch> make_sample_search(const SearchContext& context,
                                                   std::size_t sentence) {
  return std::make_unique<SampleSearch>(context, sentence);
}

SearchResult sample_search(StepModel& model, const SearchRequest& request,
                           const DecodingConfig& config) {
  return run_searches(model, request, config, make_sample_search);
}

}  // namespace tfm
