#include "tfm/search/beam_search.h"

#include <algorithm>

#include "tfm/search/candidates.h"

namespace tfm {
namespace {

/// An unfinished hypothesis, and the row of the model's last call that it continues.
struct LiveRow {
  Hypothesis hypothesis;
  std::int32_t parent = 0;
};

/// A sentence whose search goes on.
struct Sentence {
  std::size_t index = 0;
  std::int64_t max_length = 0;
  std::vector<LiveRow> live;
  std::vector<Hypothesis> finished;
};

class BeamSearch {
 public:
  BeamSearch(StepModel& model, const SearchSpec& spec, const DecodingConfig& config)
      : model_(model),
        eos_(spec.eos),
        stop_(spec.stop),
        beam_size_(static_cast<std::size_t>(std::max<std::int64_t>(config.beam_size, 1))),
        n_best_(std::min(beam_size_, static_cast<std::size_t>(std::max<std::int64_t>(config.n_best, 1)))),
        alpha_(config.length_penalty),
        selector_(model.vocab_size(), spec.forbidden, config.no_repeat_ngram_size),
        result_(spec.max_lengths.size()) {
    for (std::size_t i = 0; i < result_.size(); ++i) {
      active_.push_back({i, spec.max_lengths[i], {LiveRow{{}, static_cast<std::int32_t>(i)}}, {}});
    }
    next_tokens_.assign(result_.size(), spec.bos);
  }

  SearchResult run() {
    while (!active_.empty()) {
      step();
      retire_ended();
    }
    return std::move(result_);
  }

 private:
  /// Advances every live hypothesis of every sentence by one token.
  void step() {
    std::vector<std::int32_t> parents;
    for (const Sentence& sentence : active_) {
      for (const LiveRow& row : sentence.live) parents.push_back(row.parent);
    }
    const auto log_probs = model_.advance(parents, next_tokens_);
    std::size_t first_row = 0;
    for (Sentence& sentence : active_) {
      const std::size_t rows = sentence.live.size();
      extend(sentence, log_probs, first_row);
      first_row += rows;
    }
  }

  /// first_row: where the sentence's rows begin in log_probs.
  void extend(Sentence& sentence, std::span<const float> log_probs, std::size_t first_row) const {
    const auto vocab_size = static_cast<std::size_t>(model_.vocab_size());
    std::vector<OpenRow> open;
    for (const LiveRow& row : sentence.live) {
      const std::size_t offset = (first_row + open.size()) * vocab_size;
      open.push_back({row.hypothesis.tokens, row.hypothesis.log_prob, log_probs.subspan(offset, vocab_size)});
    }
    // A row ends in at most two ways, so three times the beam always leaves beam_size continuations, where the vocabulary has as many.
    const auto candidates = selector_.best(open, (stop_ < 0 ? 2 : 3) * beam_size_);
    const auto rows_ended = finish(sentence, candidates);
    if (std::ssize(sentence.live[0].hypothesis.tokens) >= sentence.max_length || (candidates.empty() && sentence.finished.empty())) {
      cut_live(sentence, rows_ended);
    } else {
      continue_live(sentence, candidates, first_row);
    }
  }

  /// Finishes the hypotheses that take eos or the stop token within the first beam_size ranks; returns by row which took eos.
  std::vector<bool> finish(Sentence& sentence, std::span<const Continuation> candidates) const {
    std::vector<bool> ended(sentence.live.size(), false);
    for (const Continuation& candidate : candidates.first(std::min(beam_size_, candidates.size()))) {
      const auto row = static_cast<std::size_t>(candidate.row);
      if (candidate.token == stop_ && std::ssize(sentence.live[row].hypothesis.tokens) < sentence.max_length) {
        sentence.finished.push_back(sentence.live[row].hypothesis);
        end_by_stop(sentence.finished.back(), stop_, candidate.token_log_prob, alpha_);
      }
      if (candidate.token != eos_) continue;
      sentence.finished.push_back(sentence.live[row].hypothesis);
      end_by_eos(sentence.finished.back(), candidate.token_log_prob, alpha_);
      ended[row] = true;
    }
    return ended;
  }

  /// No token may follow: what has not ended is finished as it stands.
  void cut_live(Sentence& sentence, const std::vector<bool>& ended) const {
    for (std::size_t row = 0; row < sentence.live.size(); ++row) {
      if (ended[row]) continue;
      sentence.finished.push_back(std::move(sentence.live[row].hypothesis));
      cut_short(sentence.finished.back(), alpha_);
    }
    sentence.live.clear();
  }

  void continue_live(Sentence& sentence, std::span<const Continuation> candidates, std::size_t first_row) const {
    std::vector<LiveRow> live;
    for (const Continuation& candidate : candidates) {
      if (candidate.token == eos_ || candidate.token == stop_) continue;
      if (live.size() == beam_size_) break;
      const auto row = static_cast<std::size_t>(candidate.row);
      live.push_back({sentence.live[row].hypothesis, static_cast<std::int32_t>(first_row + row)});
      append_token(live.back().hypothesis, candidate.token, candidate.token_log_prob);
    }
    sentence.live = std::move(live);
  }

  /// Moves the results of the sentences that ended out of the batch, and lays out the next call for the others.
  void retire_ended() {
    const auto over = [this](const Sentence& sentence) { return sentence.live.empty() || sentence.finished.size() >= beam_size_; };
    for (Sentence& sentence : active_) {
      if (over(sentence)) result_[sentence.index] = best_first(sentence.finished);
    }
    std::erase_if(active_, over);
    next_tokens_.clear();
    for (const Sentence& sentence : active_) {
      for (const LiveRow& row : sentence.live) next_tokens_.push_back(row.hypothesis.tokens.back());
    }
  }

  std::vector<Hypothesis> best_first(std::vector<Hypothesis> finished) const {
    std::ranges::stable_sort(finished, std::ranges::greater{}, &Hypothesis::score);
    finished.resize(std::min(n_best_, finished.size()));
    return finished;
  }

  StepModel& model_;
  std::int32_t eos_;
  std::int32_t stop_;
  std::size_t beam_size_;
  std::size_t n_best_;
  double alpha_;
  CandidateSelector selector_;
  std::vector<Sentence> active_;
  std::vector<std::int32_t> next_tokens_;  // one a live row, in the order of active_
  SearchResult result_;
};

}  // namespace

SearchResult beam_search(StepModel& model, const SearchSpec& spec, const DecodingConfig& config) { return BeamSearch(model, spec, config).run(); }

}  // namespace tfm
