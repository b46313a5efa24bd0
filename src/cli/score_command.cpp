#include "score_command.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "common_options.h"
#include "json_line.h"
#include "load.h"
#include "output.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/data/pair_reader.h"
#include "tfm/search/hypothesis.h"
#include "tfm/translate/scorer.h"

namespace tfm {
namespace {

constexpr const char* score_help = R"(Examples:
  tfm score -m runs/multi30k_de_en --source test.de --target test.en
  tfm score -m runs/a -m runs/b --source pairs.de.gz --target pairs.en.gz -o scores.txt
  tfm score --format jsonl --source test.de --target test.en

Says how likely the model finds given translations: N pairs in, N lines out, in order, each the )"
                                   R"(natural logarithm of the target's
probability, its end mark counted; nan for a pair that is too long. What the text comes to as a )"
                                   R"(whole, perplexity too, goes to stderr.)";

/// Scores are figures to compare: whatever the model translates in, they are fp32 unless one asks
/// for less.
void add_decoding(CLI::App& app, ScoreOptions& options) {
  options.decoding.emplace_back("decoding.precision=fp32");
  add_decoding_options(app, options.decoding, Effect::pair_score);
  app.get_option("--precision")
      ->description(
          "Numbers that matrix products are computed in: fp32 (default here), bf16, int8 (CPU) or "
          "auto.");
  app.get_option("--max-length")
      ->description(
          "Longest side of a pair in tokens, marks not counted, where it is more than "
          "data.max_length.");
}

void add_options(CLI::App& app, ScoreOptions& options) {
  add_model_options(app, options.models);
  app.add_option("--source", options.source, "Sentences, plain or .gz")
      ->required()
      ->type_name("FILE");
  app.add_option("--target", options.target, "Their translations, line by line")
      ->required()
      ->type_name("FILE");
  add_output_option(app, options.output,
                    "Where the scores go, whole or not at all; default: stdout");
  add_format_option<ScoreFormat>(
      app, options.format, {{"text", ScoreFormat::text}, {"jsonl", ScoreFormat::jsonl}},
      "text (default): a number a line; or jsonl: with each token's log-probability");
  app.add_option("--normalize", options.normalize,
                 "Divide each log-probability by length^alpha; the length counts the end mark. "
                 "1: the mean of a token; default 0: the plain sum")
      ->check(CLI::Range(0.0, 10.0))
      ->type_name("ALPHA");
  add_runtime_options(app, options.runtime);
  add_decoding(app, options);
}

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
  PairScoring(std::vector<Model>& models, const ScoreOptions& options, Output& output)
      : scorer_(pointers(models), models.front().config().decoding),
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
    if (score.too_long) log_debug("line {}: too long", line_);
    if (score.repaired) log_debug("line {}: not valid UTF-8", line_);
    if (score.unknown > 0) log_debug("line {}: {} unknown", line_, score.unknown);
  }

  void summarise() const {
    if (too_long_ > 0)
      log_warn("{} of {} pairs have a side of more than {} tokens: no score (nan)", too_long_,
               line_, scorer_.longest());
    if (repaired_ > 0)
      log_warn("{} of {} pairs are not valid UTF-8; what does not belong was replaced", repaired_,
               line_);
    if (unknown_ > 0)
      log_warn("{} of {} pairs hold text that the vocabulary does not cover", unknown_, line_);
    if (too_long_ + repaired_ + unknown_ > 0) log_warn("`tfm -v score` says which lines these are");
    log_info("{} pairs, {} target tokens, cross-entropy {:.6f} nats a token, perplexity {:.6f}",
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

int run_score(const ScoreOptions& options) {
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

Command score_command(Run<ScoreOptions> run) {
  return {.name = "score",
          .group = {},
          .summary = score_help,
          .prepare = with_options<ScoreOptions>(add_options, std::move(run))};
}

}  // namespace tfm
