#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tfm/cli/commands.h"
#include "tfm/cli/load.h"
#include "tfm/cli/output.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/data/pair_reader.h"
#include "tfm/search/hypothesis.h"
#include "tfm/translate/scorer.h"

namespace tfm {
namespace {

/// Pairs read before they are scored together: enough for full batches of like length, few enough
/// for bounded memory.
constexpr std::size_t pairs_at_once = 4096;

std::string score_json(std::int64_t line, const PairScore& score, double value) {
  nlohmann::ordered_json object{{"line", line}};
  if (score.too_long) {
    object.update({{"log_prob", nullptr}, {"score", nullptr}});  // JSON has no NaN
  } else {
    object.update({{"log_prob", score.log_prob},
                   {"score", value},
                   {"tokens", score.tokens},
                   {"log_probs", score.log_probs}});
  }
  return json_line(object);
}

/// Scores chunk after chunk; lines are numbered across chunks.
class PairScoring {
 public:
  PairScoring(std::vector<TranslationModel>& models, const ScoreOptions& options, Output& output)
      : scorer_(pointers(models), models.front().config.decoding),
        options_(options),
        output_(output) {}

  void add(const std::string& source, const std::string& target) {
    pairs_.push_back({source, target});
    if (pairs_.size() >= pairs_at_once) score();
  }

  void finish() {
    score();
    output_.finish();
    summarise();
  }

 private:
  void score() {
    if (interrupt_requested()) throw Interrupted("interrupted: the scores are not complete");
    for (const auto& score : scorer_.score(pairs_)) write(score);
    pairs_.clear();
    output_.flush();
  }

  void write(const PairScore& score) {
    const double value =
        length_normalized_score(score.log_prob, std::ssize(score.tokens), options_.normalize);
    if (options_.format == ScoreFormat::jsonl) {
      output_.line(score_json(line_, score, value));
    } else {
      output_.line(score.too_long ? "nan" : fmt::format("{:.6f}", value));
    }
    ++line_;
    corpus_.add(score);
    too_long_ += score.too_long ? 1 : 0;
    repaired_ += score.repaired ? 1 : 0;
    unknown_ += score.unknown > 0 ? 1 : 0;
    if (score.too_long) spdlog::debug("line {}: too long", line_);
    if (score.repaired) spdlog::debug("line {}: not valid UTF-8", line_);
    if (score.unknown > 0) spdlog::debug("line {}: {} unknown", line_, score.unknown);
  }

  void summarise() const {
    if (too_long_ > 0)
      spdlog::warn("{} of {} pairs have a side of more than {} tokens: no score (nan)", too_long_,
                   line_, scorer_.longest());
    if (repaired_ > 0)
      spdlog::warn("{} of {} pairs are not valid UTF-8; what does not belong was replaced",
                   repaired_, line_);
    if (unknown_ > 0)
      spdlog::warn("{} of {} pairs hold text that the vocabulary does not cover", unknown_, line_);
    if (too_long_ + repaired_ + unknown_ > 0)
      spdlog::warn("`tfm -v score` says which lines these are");
    spdlog::info("{} pairs, {} target tokens, cross-entropy {:.6f} nats a token, perplexity {:.6f}",
                 corpus_.pairs, corpus_.tokens, corpus_.cross_entropy(), corpus_.perplexity());
  }

  Scorer scorer_;
  const ScoreOptions& options_;
  Output& output_;
  std::vector<SentencePair> pairs_;
  CorpusScore corpus_;
  std::int64_t line_ = 0;
  std::int64_t too_long_ = 0;
  std::int64_t repaired_ = 0;
  std::int64_t unknown_ = 0;
};

}  // namespace

int score_command(const ScoreOptions& options) {
  check_line_counts(options.source, options.target);  // rather now than at the end of hours
  PairReader reader(options.source, options.target);
  auto models = load_models(options.models, options.runtime, options.decoding);
  Output output(options.output);
  if (!options.output.empty())
    install_signal_handlers();  // so that its temporary file goes as well
  PairScoring scoring(models, options, output);
  std::string source;
  std::string target;
  while (reader.next(source, target)) scoring.add(source, target);
  scoring.finish();
  return 0;
}

}  // namespace tfm
