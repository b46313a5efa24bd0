#include "tfm/search/beam_search.h"

#include <algorithm>
#include <string>

#include "tfm/core/error.h"
#include "tfm/search/candidates.h"
#include "tfm/search/forced_phrases.h"
#include "tfm/search/logits_processor.h"
#include "tfm/search/penalties.h"

namespace tfm {
namespace {

/// An unfinished hypothesis, and the row of the model's last call that it continues.
struct LiveHypothesis {
  Hypothesis hypothesis;
  std::int32_t parent = 0;
  ForcedPhrases::Progress progress;  // empty where nothing is forced
  // attention that each source token received; empty where it is not wanted
  std::vector<float> coverage;
};

/// One group of a sentence's hypotheses, whose search goes on. Groups of a sentence stand one after
/// the other.
struct Beam {
  std::size_t sentence = 0;
  ForcedPhrases phrases;
  std::vector<LiveHypothesis> live;
  std::vector<Hypothesis> finished;
};

/// What the model's last call gave.
struct StepOutput {
  std::span<const float> log_probs;  // [rows, V]
  std::span<const float> attention;  // [rows, S], or empty
  std::size_t rows = 0;

  std::span<const float> next(std::size_t row) const {
    return log_probs.subspan(row * (log_probs.size() / rows), log_probs.size() / rows);
  }
  std::span<const float> compute_attention(std::size_t row) const {
    return attention.subspan(row * (attention.size() / rows), attention.size() / rows);
  }
};

/// Throws DataError where the forced phrases don't fit into the longest translation.
void check_phrases_fit(const ForcedPhrases& phrases, std::span<const std::int32_t> prefix,
                       std::int64_t max_length) {
  auto progress = phrases.start();
  for (const std::int32_t token : prefix) progress = phrases.after(std::move(progress), token);
  const std::int64_t needed = std::ssize(prefix) + phrases.missing(progress);
  if (needed <= max_length) return;
  throw DataError(
      "",
      "the forced phrases need " + std::to_string(needed) +
          " tokens, and the longest translation has " + std::to_string(max_length),
      "Force fewer phrases, or raise decoding.max_length and decoding.max_length_factor.");
}

class BeamSearch {
 public:
  BeamSearch(StepModel& model, const SearchRequest& spec, const DecodingConfig& config)
      : model_(model),
        spec_(spec),
        config_(config),
        groups_(static_cast<std::size_t>(std::max<std::int64_t>(config.beam_groups, 1))),
        beam_size_(std::max<std::size_t>(
            static_cast<std::size_t>(std::max<std::int64_t>(config.beam_size, 1)) / groups_, 1)),
        rules_(spec, config),
        selector_(model.vocab_size(), spec.forbidden),
        result_(spec.max_lengths.size()) {
    for (std::size_t i = 0; i < result_.size(); ++i) {
      const ForcedPhrases phrases(spec.constraints.empty()
                                      ? std::span<const std::vector<std::int32_t>>()
                                      : spec.constraints[i].forced);
      if (!phrases.empty())
        check_phrases_fit(phrases, spec.constraints[i].prefix, spec.max_lengths[i]);
      LiveHypothesis start{{}, static_cast<std::int32_t>(i), phrases.start(), {}};
      if (config.coverage_penalty > 0)
        start.coverage.assign(static_cast<std::size_t>(spec.source_lengths.at(i)), 0);
      for (std::size_t group = 0; group < groups_; ++group)
        active_.push_back({i, phrases, {start}, {}});
    }
    next_tokens_.assign(active_.size(), spec.bos);
  }

  SearchResult run() {
    while (!active_.empty()) {
      step();
      remove_finished();
    }
    const auto n_best = static_cast<std::size_t>(std::max<std::int64_t>(config_.n_best, 1));
    for (auto& finished : result_) {
      std::ranges::stable_sort(finished, std::ranges::greater{}, &Hypothesis::score);
      finished.resize(std::min({n_best, beam_size_ * groups_, finished.size()}));
    }
    return std::move(result_);
  }

 private:
  /// Advances every live hypothesis of every sentence by one token.
  void step() {
    std::vector<std::int32_t> parents;
    for (const Beam& beam : active_) {
      for (const LiveHypothesis& row : beam.live) parents.push_back(row.parent);
    }
    StepOutput rows{model_.advance(parents, next_tokens_), {}, parents.size()};
    if (config_.coverage_penalty > 0) {
      rows.attention = model_.attention();
      if (rows.attention.empty())
        throw ConfigError("decoding.coverage_penalty", "this model tells no attention",
                          "Set it to 0.");
    }
    std::size_t first_row = 0;
    const Beam* previous = nullptr;
    for (Beam& beam : active_) {
      if (previous == nullptr || previous->sentence != beam.sentence) chosen_.clear();
      const std::size_t count = beam.live.size();
      extend(beam, rows, first_row);
      first_row += count;
      previous = &beam;
    }
  }

  /// first_row: where the beam's rows begin among the model's.
  void extend(Beam& beam, const StepOutput& rows, std::size_t first_row) {
    std::vector<ProcessedRow> ruled;
    std::vector<CandidateRow> open;
    ruled.reserve(beam.live.size());
    open.reserve(beam.live.size());
    for (std::size_t i = 0; i < beam.live.size(); ++i) {
      LiveHypothesis& live = beam.live[i];
      ruled.push_back(rules_.apply(beam.sentence, live.hypothesis, rows.next(first_row + i)));
      for (const std::int32_t token : chosen_) ruled[i].adjust(token, -config_.diversity_strength);
      if (beam.phrases.missing(live.progress) > 0) forbid_end(ruled[i]);
      open.push_back(ruled[i].open);
      if (!live.coverage.empty())
        add_attention(live.coverage, rows.compute_attention(first_row + i));
    }
    const std::int64_t room =
        spec_.max_lengths[beam.sentence] - std::ssize(beam.live[0].hypothesis.tokens);
    const auto found = candidates(beam, open, room);
    const auto rows_ended = finish(beam, found, rows, first_row);
    if (room <= 0 || (found.empty() && beam.finished.empty())) {
      truncate_live(beam, rows_ended);
    } else {
      continue_live(beam, found, rows, first_row);
    }
    if (groups_ > 1) {
      for (const LiveHypothesis& row : beam.live) chosen_.push_back(row.hypothesis.tokens.back());
    }
  }

  void forbid_end(ProcessedRow& row) const {
    row.ban(spec_.eos);
    if (spec_.stop >= 0) row.ban(spec_.stop);
  }

  static void add_attention(std::vector<float>& coverage, std::span<const float> attention) {
    for (std::size_t i = 0; i < coverage.size(); ++i) coverage[i] += attention[i];
  }

  std::vector<Continuation> candidates(const Beam& beam, std::span<const CandidateRow> open,
                                       std::int64_t room) const {
    // A row ends in at most two ways, so three times the beam always leaves beam_size
    // continuations, where the vocabulary has as many.
    if (beam.phrases.empty()) return selector_.best(open, (spec_.stop < 0 ? 2 : 3) * beam_size_);
    BeamAllocationInput search{beam.phrases, {}, beam_size_, room, spec_.eos, spec_.stop};
    for (const LiveHypothesis& row : beam.live) search.progress.push_back(&row.progress);
    return allocate_beam(selector_, open, search);
  }

  /// Finishes the hypotheses that take eos or the stop token within the first beam_size ranks;
  /// returns by row which took eos.
  std::vector<bool> finish(Beam& beam, std::span<const Continuation> found, const StepOutput& rows,
                           std::size_t first_row) const {
    std::vector<bool> ended(beam.live.size(), false);
    const bool full =
        std::ssize(beam.live[0].hypothesis.tokens) >= spec_.max_lengths[beam.sentence];
    for (const Continuation& candidate : found.first(std::min(beam_size_, found.size()))) {
      if (candidate.token != spec_.eos && (candidate.token != spec_.stop || full)) continue;
      const auto row = static_cast<std::size_t>(candidate.row);
      Hypothesis hypothesis = beam.live[row].hypothesis;
      rules_.take(hypothesis, candidate.token, rows.next(first_row + row));
      add_finished(beam, std::move(hypothesis), beam.live[row].coverage);
      if (candidate.token == spec_.eos) ended[row] = true;
    }
    return ended;
  }

  /// No token may follow: what has not ended is finished as it stands.
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

  void continue_live(Beam& beam, std::span<const Continuation> found, const StepOutput& rows,
                     std::size_t first_row) const {
    std::vector<LiveHypothesis> live;
    for (const Continuation& candidate : found) {
      if (candidate.token == spec_.eos || candidate.token == spec_.stop) continue;
      if (live.size() == beam_size_) break;
      const auto row = static_cast<std::size_t>(candidate.row);
      live.push_back(beam.live[row]);
      live.back().parent = static_cast<std::int32_t>(first_row + row);
      live.back().progress = beam.phrases.after(std::move(live.back().progress), candidate.token);
      rules_.take(live.back().hypothesis, candidate.token, rows.next(first_row + row));
    }
    beam.live = std::move(live);
  }

  /// Moves the results of the beams that ended out of the batch, and lays out the next call for the
  /// others.
  void remove_finished() {
    const auto over = [this](const Beam& beam) {
      return beam.live.empty() || beam.finished.size() >= beam_size_;
    };
    for (Beam& beam : active_) {
      if (over(beam)) std::ranges::move(beam.finished, std::back_inserter(result_[beam.sentence]));
    }
    std::erase_if(active_, over);
    next_tokens_.clear();
    for (const Beam& beam : active_) {
      for (const LiveHypothesis& row : beam.live)
        next_tokens_.push_back(row.hypothesis.tokens.back());
    }
  }

  StepModel& model_;
  const SearchRequest& spec_;
  const DecodingConfig& config_;
  std::size_t groups_;
  std::size_t beam_size_;  // of a group
  LogitsProcessor rules_;
  CandidateSelector selector_;
  std::vector<Beam> active_;
  std::vector<std::int32_t> next_tokens_;  // one a live row, in the order of active_
  std::vector<std::int32_t> chosen_;       // by earlier groups of the sentence at this step
  SearchResult result_;
};

}  // namespace

SearchResult beam_search(StepModel& model, const SearchRequest& spec,
                         const DecodingConfig& config) {
  return BeamSearch(model, spec, config).run();
}

}  // namespace tfm
