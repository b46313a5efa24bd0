#include "score_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "common_options.h"
#include "field_options.h"
#include "load.h"
#include "output.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/line_progress.h"
#include "tfm/core/log.h"
#include "tfm/core/output_name.h"
#include "tfm/data/pair_reader.h"
#include "tfm/search/hypothesis.h"
#include "tfm/tensor/runtime.h"
#include "tfm/tensor/spin_limiter.h"
#include "tfm/translate/output_lines.h"
#include "tfm/translate/precision.h"
#include "tfm/translate/scorer.h"

namespace tfm {
namespace {

/// Adds an option for each decoding field that affects scores. --precision defaults to fp32, not to
/// the value in the model's config, so that scores of different models can be compared.
void add_decoding(CLI::App& app, ScoreOptions& options) {
  options.decoding.emplace_back("decoding.precision=fp32");
  add_decoding_options(app, options.decoding, Effect::pair_score);
  app.get_option("--precision")
      ->description(
          "Data type of matrix multiplications: fp32, bf16, fp16 (GPU only), int8 (CPU only) or "
          "auto; fp32 unless given, whatever the model's config says.")
      ->default_str("fp32");
  app.get_option("--max-length")
      ->description(
          "Longest side of a pair in tokens, without special tokens, if that is more than "
          "data.max_length.");
}

void add_options(CLI::App& app, ScoreOptions& options) {
  add_model_options(app, options.models);
  auto* source =
      add_input_option(app, "--source", options.source, "Source sentences, plain or compressed");
  auto* target =
      add_input_option(app, "--target", options.target, "Translations to score, line by line")
          ->needs(source);
  source->needs(target);
  add_input_option(app, "--tsv", options.pairs,
                   "Both in one file: source, tab and translation on each line")
      ->excludes(source)
      ->excludes(target);
  add_output_option(
      app, options.output,
      "Write the scores to this file, which appears when it is complete; without it, stdout");
  add_format_option<ScoreFormat>(
      app, options.format, {{"text", ScoreFormat::text}, {"jsonl", ScoreFormat::jsonl}},
      "text: one number per line; jsonl: also the log-probability of each token")
      ->default_str("text")
      ->group(input_group);
  app.add_option(
         "--normalize", options.normalize,
         "Divide each log-probability by length^ALPHA, with EOS counted in the length: 0 is "
         "the sum, 1 the mean per token")
      ->check(real_number(0, 10))
      ->capture_default_str()
      ->type_name("ALPHA")
      ->group(input_group);
  add_runtime_options(app, options.runtime);
  add_decoding(app, options);
}

/// The number of pairs that are scored together, as one chunk. It is large enough to fill batches
/// with pairs of similar length, and small enough to bound the memory.
constexpr std::size_t pairs_at_once = 4096;

/// Scores pairs in chunks. Lines are counted from the first pair, not from the start of a chunk.
class PairScoring {
 public:
  PairScoring(std::vector<Model>& models, const ScoreOptions& options, const PairReader& reader,
              Output& output)
      : scorer_(pointers(models), models.front().config().decoding),
        options_(options),
        output_(output),
        // If the scores go to a terminal, no progress line is shown, since it would mix with them.
        progress_(share_of_file(reader.source()),
                  !options.output.empty() || ::isatty(STDOUT_FILENO) == 0) {}

  void add(const std::string& source, const std::string& target) {
    pairs_.push_back({source, target});
    if (pairs_.size() >= pairs_at_once) score();
  }

  void finish() {
    score();
    output_.finish();
    summarise();
    progress_.log_total("scored", line_);
  }

 private:
  void score() {
    const auto report = [&](double share) {
      if (interrupt_requested()) throw Interrupted("interrupted: the scores are incomplete");
      progress_.show(line_, std::ssize(pairs_), share);
    };
    report(0);
    for (const auto& score : scorer_.score(pairs_, report)) write(score);
    pairs_.clear();
    output_.flush();
    progress_.show(line_);
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
    repaired_ += score.had_invalid_utf8 ? 1 : 0;
    unknown_ += score.unknown > 0 ? 1 : 0;
    if (score.too_long) log_debug("line {}: too long", line_);
    if (score.had_invalid_utf8) log_debug("line {}: not valid UTF-8", line_);
    if (score.unknown > 0) log_debug("line {}: {} unknown tokens", line_, score.unknown);
  }

  void summarise() const {
    if (too_long_ > 0)
      log_warn("{} of {} pairs have a side of more than {} tokens: no score (nan)", too_long_,
               line_, scorer_.max_length());
    if (repaired_ > 0)
      log_warn("{} of {} pairs are not valid UTF-8; invalid bytes were replaced", repaired_, line_);
    if (unknown_ > 0)
      log_warn("{} of {} pairs contain text that the vocabulary does not cover", unknown_, line_);
    if (too_long_ + repaired_ + unknown_ > 0)
      log_warn("`tfm -v score` prints which lines these are");
    if (corpus_.tokens == 0) return log_warn("no pair was scored, so there is no cross-entropy");
    log_info("{} pairs, {} target tokens, cross-entropy {:.6f} nats per token, perplexity {:.6f}",
             corpus_.pairs, corpus_.tokens, corpus_.cross_entropy(), corpus_.perplexity());
  }

  Scorer scorer_;
  const ScoreOptions& options_;
  Output& output_;
  LineProgress progress_;
  std::vector<SentencePair> pairs_;
  CorpusScore corpus_;
  std::int64_t line_ = 0;
  std::int64_t too_long_ = 0;
  std::int64_t repaired_ = 0;
  std::int64_t unknown_ = 0;
};

/// Opens the pairs and checks them all, because scoring may take hours.
PairReader open_pairs(const ScoreOptions& options) {
  if (!options.pairs.empty()) {
    check_tabs(options.pairs);
    return PairReader(options.pairs);
  }
  if (options.source.empty())
    throw ConfigError("", "nothing to score",
                      "Give --source FILE and --target FILE, or --tsv FILE.");
  require_one_standard_input({options.source, options.target});
  check_line_counts(options.source, options.target);
  return {options.source, options.target};
}

int score_as_given(const ScoreOptions& options) {
  check_output_name(options.output, {options.source, options.target, options.pairs});
  PairReader reader = open_pairs(options);
  auto models = load_models(options.models, options.runtime, options.decoding);
  const SpinLimiter spin_limiter(thread_count());
  Output output(options.output);
  output.install_handlers();
  log_info("precision {}", used_precision(models.front(), models.front().config().decoding));
  PairScoring scoring(models, options, reader, output);
  std::string source;
  std::string target;
  while (reader.next(source, target)) scoring.add(source, target);
  scoring.finish();
  return 0;
}

}  // namespace

int run_score(const ScoreOptions& options) {
  return run_with_options(options.decoding, [&] { return score_as_given(options); });
}

Command score_command(Run<ScoreOptions> run) {
  return {.name = "score",
          .group = {},
          .section = "Evaluate",
          .summary = "Prints the log-probability that a model gives translations",
          .details =
              "N pairs in, N lines out, in order. Each line is the natural logarithm of the "
              "target's probability, EOS included, or nan if the pair is too long. The "
              "cross-entropy and perplexity of the corpus go to stderr.",
          .examples = {"tfm score -m runs/demo --source test.de --target test.en",
                       "tfm score --format jsonl --source test.de --target test.en"},
          .read_more = "docs/evaluate.md",
          .prepare = with_options<ScoreOptions>(add_options, std::move(run))};
}

}  // namespace tfm
