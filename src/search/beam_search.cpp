#include "tfm/search/beam_search.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tfm/core/error.h"
#include "tfm/search/forced_phrases.h"
#include "tfm/search/penalties.h"

namespace tfm {
namespace {

struct LiveHypothesis {
  Hypothesis hypothesis;
  std::int32_t parent = 0;           // SearchRow::parent of the hypothesis
  ForcedPhrases::Progress progress;  // empty if no phrase is forced
  // the attention that each source token has received; empty without a coverage penalty
  std::vector<float> coverage;
};

/// A group of hypotheses that compete with each other.
struct Beam {
  std::vector<LiveHypothesis> live;
  std::vector<Hypothesis> finished;
};

/// Throws DataError if the prefix and the forced phrases do not fit within the maximum length.
void check_phrases_fit(const ForcedPhrases& phrases, std::span<const std::int32_t> prefix,
                       std::int64_t max_length) {
  auto progress = phrases.start();
  for (const std::int32_t token : prefix) progress = phrases.advance(std::move(progress), token);
  const std::int64_t needed = std::ssize(prefix) + phrases.tokens_remaining(progress);
  if (needed <= max_length) return;
  throw DataError(
      "",
      "the forced phrases need " + std::to_string(needed) +
          " tokens, but a translation may have at most " + std::to_string(max_length),
      "Force fewer phrases, or raise decoding.max_length and decoding.max_length_factor.");
}

class BeamSearch : public SentenceSearch {
 public:
  BeamSearch(const SearchContext& context, std::size_t sentence)
      : context_(context),
        request_(context.request),
        config_(context.config),
        sentence_(sentence),
        groups_(static_cast<std::size_t>(std::max<std::int64_t>(config_.beam_groups, 1))),
        beam_size_(std::max<std::size_t>(
            static_cast<std::size_t>(std::max<std::int64_t>(config_.beam_size, 1)) / groups_, 1)),
        phrases_(request_.constraints.empty() ? std::span<const std::vector<std::int32_t>>()
                                              : request_.constraints[sentence].forced) {
    if (!phrases_.empty())
      check_phrases_fit(phrases_, request_.constraints[sentence].prefix, max_length());
    LiveHypothesis start{{}, 0, phrases_.start(), {}};
    if (config_.coverage_penalty > 0)
      start.coverage.assign(static_cast<std::size_t>(request_.source_lengths.at(sentence)), 0);
    beams_.assign(groups_, {{start}, {}});
    rows_.assign(groups_, {0, request_.first_token(sentence_)});
  }

  std::span<const SearchRow> rows() const override { return rows_; }

  void take(const StepOutput& output) override {
    if (config_.coverage_penalty > 0 && output.attention.empty()) {
      throw ConfigError("decoding.coverage_penalty", "the model does not provide attention weights",
                        "Set decoding.coverage_penalty to 0.");
    }
    chosen_.clear();
    std::size_t first_row = 0;
    for (Beam& beam : beams_) {
      const std::size_t count = beam.live.size();
      extend(beam, output, first_row);
      first_row += count;
    }
    remove_finished();
  }

  std::vector<Hypothesis> result() override {
    const auto n_best = static_cast<std::size_t>(std::max<std::int64_t>(config_.n_best, 1));
    std::ranges::stable_sort(result_, std::ranges::greater{}, &Hypothesis::score);
    result_.resize(std::min({n_best, beam_size_ * groups_, result_.size()}));
    return std::move(result_);
  }

 private:
  std::int64_t max_length() const { return request_.max_lengths[sentence_]; }

  /// Extends the hypotheses of one beam by a token. `first_row` is the index in `output` of the
  /// beam's first row.
  void extend(Beam& beam, const StepOutput& output, std::size_t first_row) {
    std::vector<ProcessedRow> processed;
    std::vector<CandidateRow> open;
    processed.reserve(beam.live.size());
    open.reserve(beam.live.size());
    for (std::size_t i = 0; i < beam.live.size(); ++i) {
      LiveHypothesis& live = beam.live[i];
      processed.push_back(process(live, output.next(first_row + i)));
      open.push_back(processed.back().candidate);
      if (!live.coverage.empty()) add_attention(live.coverage, output.attention_row(first_row + i));
    }
    const std::int64_t tokens_left = max_length() - std::ssize(beam.live[0].hypothesis.tokens);
    const auto found = candidates(beam, open, tokens_left);
    const auto rows_ended = finish(beam, found, output, first_row);
    if (tokens_left <= 0 || (found.empty() && beam.finished.empty())) {
      truncate_live(beam, rows_ended);
    } else {
      continue_live(beam, found, output, first_row);
    }
    if (groups_ > 1) {
      for (const LiveHypothesis& row : beam.live) chosen_.push_back(row.hypothesis.tokens.back());
    }
  }

  ProcessedRow process(const LiveHypothesis& live, const NextTokens& next) const {
    ProcessedRow row = context_.processor.apply(sentence_, live.hypothesis, next);
    for (const std::int32_t token : chosen_) row.adjust(token, -config_.diversity_strength);
    if (phrases_.tokens_remaining(live.progress) > 0) {
      row.ban(request_.eos);
      if (request_.stop >= 0) row.ban(request_.stop);
    }
    return row;
  }

  static void add_attention(std::vector<float>& coverage, std::span<const float> attention) {
    for (std::size_t i = 0; i < coverage.size(); ++i) coverage[i] += attention[i];
  }

  std::vector<Continuation> candidates(const Beam& beam, std::span<const CandidateRow> open,
                                       std::int64_t tokens_left) const {
    if (phrases_.empty()) {
      const auto count = count_continuations(static_cast<std::int64_t>(beam_size_), request_.stop);
      return context_.selector.top_k(open, static_cast<std::size_t>(count));
    }
    BeamAllocationInput input{phrases_, {}, beam_size_, tokens_left, request_.eos, request_.stop};
    for (const LiveHypothesis& row : beam.live) input.progress.push_back(&row.progress);
    return allocate_beam(context_.selector, open, input);
  }

  /// Finishes the hypotheses that take eos or the stop token within the first beam_size ranks. At
  /// the maximum length, only eos counts. Returns, for each live hypothesis, whether it took eos.
  std::vector<bool> finish(Beam& beam, std::span<const Continuation> found,
                           const StepOutput& output, std::size_t first_row) const {
    std::vector<bool> ended(beam.live.size(), false);
    const bool full = std::ssize(beam.live[0].hypothesis.tokens) >= max_length();
    for (const Continuation& candidate : found.first(std::min(beam_size_, found.size()))) {
      if (candidate.token != request_.eos && (candidate.token != request_.stop || full)) continue;
      const auto row = static_cast<std::size_t>(candidate.row);
      Hypothesis hypothesis = beam.live[row].hypothesis;
      context_.processor.extend(hypothesis, candidate.token, output.next(first_row + row));
      add_finished(beam, std::move(hypothesis), beam.live[row].coverage);
      if (candidate.token == request_.eos) ended[row] = true;
    }
    return ended;
  }

  /// Ends all hypotheses that did not take eos, because they cannot be extended further.
  void truncate_live(Beam& beam, const std::vector<bool>& ended) const {
    for (std::size_t row = 0; row < beam.live.size(); ++row) {
      if (ended[row]) continue;
      Hypothesis& hypothesis = beam.live[row].hypothesis;
      finish_truncated(hypothesis, config_.length_penalty);
      add_finished(beam, std::move(hypothesis), beam.live[row].coverage);
    }
    beam.live.clear();
  }

  void add_finished(Beam& beam, Hypothesis hypothesis, const std::vector<float>& coverage) const {
    if (!coverage.empty()) hypothesis.score += coverage_penalty(coverage, config_.coverage_penalty);
    beam.finished.push_back(std::move(hypothesis));
  }

  void continue_live(Beam& beam, std::span<const Continuation> found, const StepOutput& output,
                     std::size_t first_row) const {
    std::vector<LiveHypothesis> live;
    for (const Continuation& candidate : found) {
      if (candidate.token == request_.eos || candidate.token == request_.stop) continue;
      if (live.size() == beam_size_) break;
      const auto row = static_cast<std::size_t>(candidate.row);
      live.push_back(beam.live[row]);
      live.back().parent = static_cast<std::int32_t>(first_row + row);
      live.back().progress = phrases_.advance(std::move(live.back().progress), candidate.token);
      context_.processor.extend(live.back().hypothesis, candidate.token,
                                output.next(first_row + row));
    }
    beam.live = std::move(live);
  }

  /// Moves the hypotheses of finished beams into the result and lists the rows of the other beams.
  void remove_finished() {
    const auto is_finished = [this](const Beam& beam) {
      return beam.live.empty() || beam.finished.size() >= beam_size_;
    };
    for (Beam& beam : beams_) {
      if (is_finished(beam)) std::ranges::move(beam.finished, std::back_inserter(result_));
    }
    std::erase_if(beams_, is_finished);
    rows_.clear();
    for (const Beam& beam : beams_) {
      for (const LiveHypothesis& row : beam.live)
        rows_.push_back({row.parent, row.hypothesis.tokens.back()});
    }
  }

  const SearchContext& context_;
  const SearchRequest& request_;
  const DecodingConfig& config_;
  std::size_t sentence_;
  std::size_t groups_;
  std::size_t beam_size_;  // number of hypotheses per group
  ForcedPhrases phrases_;
  std::vector<Beam> beams_;  // one per unfinished group
  std::vector<SearchRow> rows_;
  std::vector<std::int32_t> chosen_;  // tokens that earlier groups took in this step
  std::vector<Hypothesis> result_;
};

}  // namespace

std::int64_t count_continuations(std::int64_t beam_size, std::int32_t stop) {
  // Each of the beam_size rows has at most two continuations that end it: eos and the stop token.
  // If 3 * beam_size continuations are selected (2 * beam_size without a stop token), at least
  // beam_size of them therefore do not end, unless the vocabulary is too small.
  return (stop < 0 ? 2 : 3) * beam_size;
}

std::unique_ptr<SentenceSearch> make_beam_search(const SearchContext& context,
                                                 std::size_t sentence) {
  return std::make_unique<BeamSearch>(context, sentence);
}

SearchResult beam_search(StepModel& model, const SearchRequest& request,
                         const DecodingConfig& config) {
  return run_searches(model, request, config, make_beam_search);
}

}  // namespace tfm
