#include "evaluate_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common_options.h"
#include "evaluation_report.h"
#include "field_options.h"
#include "load.h"
#include "output.h"
#include "tfm/config/choices.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/line_progress.h"
#include "tfm/core/line_reader.h"
#include "tfm/core/log.h"
#include "tfm/core/output_name.h"
#include "tfm/data/pair_alignments.h"
#include "tfm/metrics/alignment_error_rate.h"
#include "tfm/metrics/bleu.h"
#include "tfm/metrics/bleu_tokenizer.h"
#include "tfm/metrics/chrf.h"
#include "tfm/tensor/runtime.h"
#include "tfm/tensor/spin_limiter.h"
#include "tfm/translate/alignment.h"
#include "tfm/translate/line_warnings.h"
#include "tfm/translate/precision.h"
#include "tfm/translate/translator.h"
#include "tfm/translate/word_map.h"

namespace tfm {
namespace {

using Lines = std::vector<std::string>;

void check_lines(const std::filesystem::path& file, std::size_t lines,
                 const std::filesystem::path& reference, std::size_t reference_lines) {
  if (lines == reference_lines) return;
  throw DataError(
      file.string(),
      fmt::format("has {} lines, but {} has {}", lines, reference.string(), reference_lines),
      "Line i of one file must belong to line i of the other: name the right files, or translate "
      "the source of the reference again.");
}

/// Reads the references. Throws DataError if a file is empty, because a score would have no
/// meaning, or if the files differ in their numbers of lines.
References read_references(const std::vector<std::filesystem::path>& files) {
  References references;
  for (const auto& file : files) {
    references.push_back(read_lines(file));
    const auto lines = references.back().size();
    if (lines == 0)
      throw DataError(file.string(), "is empty", "Give a file with one reference per line.");
    check_lines(file, lines, files.front(), references.front().size());
  }
  return references;
}

bool has_metric(const EvaluateOptions& options, Metric metric) {
  return std::ranges::count(options.comparison.metrics, metric) > 0;
}

/// Warns if the references have no spaces between words and a metric does not separate their words.
/// Hardly any word or n-gram of words can then match.
void warn_about_missing_spaces(const EvaluateOptions& options, const Lines& references) {
  const auto fitting = resolve_bleu_tokenizer(BleuTokenizer::automatic, references);
  if (fitting == BleuTokenizer::mteval_13a) return;
  const auto file = options.references.front().string();
  const auto given = options.comparison.bleu.tokenizer;
  if (has_metric(options, Metric::bleu) &&
      (given == BleuTokenizer::mteval_13a || given == BleuTokenizer::intl))
    log_warn(
        "{}: the text has no spaces between words, which the tokenizer {} needs, so BLEU means "
        "little; use --tokenize {}",
        file, choice_name(given), choice_name(fitting));
  const bool can_separate = fitting == BleuTokenizer::zh;  // the characters of Chinese only
  const auto& ter = options.comparison.ter;
  if (has_metric(options, Metric::ter) && !(can_separate && ter.normalized && ter.asian_support))
    log_warn("{}: the text has no spaces between words, so TER means little{}", file,
             can_separate ? "; use --ter-normalized --ter-asian-support" : "");
}

Lines translate_all(std::vector<Model>& models, const Lines& source) {
  const auto& config = models.front().config();
  const Translator translator(pointers(models), config.decoding);
  LineProgress progress([] { return 1.0; });  // share of the input that has been read
  const auto report = [&](double share) {
    if (interrupt_requested()) throw Interrupted(not_written_message);
    progress.show(0, std::ssize(source), share);
  };
  const auto translations = translator.translate(source, {.on_batch = report});
  progress.log_total("translated", std::ssize(source));
  log_info("beam_size {}, precision {}", config.decoding.beam_size,
           used_precision(models.front(), config.decoding));
  LineWarnings warnings(config.tokenizer.kind, /*named=*/0);
  Lines texts;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    warnings.add(static_cast<std::int64_t>(i), translations[i]);
    texts.push_back(translations[i].text());
  }
  warnings.log_summary("evaluate");
  return texts;
}

/// Returns the alignment error rate of the model. The model aligns the references, not its own
/// output, because the gold alignments were made for the references.
double reference_alignment_error(Model& model, const Lines& source, const Lines& references,
                                 const std::vector<GoldAlignment>& all_gold) {
  const SentenceFrame frame(model, model.config().decoding);
  std::vector<EncodedPair> pairs;
  std::vector<std::size_t> lines;
  std::vector<GoldAlignment> gold;
  for (std::size_t i = 0; i < source.size(); ++i) {
    auto pair = encode_pair(model, source[i], references[i], frame);
    if (!pair) continue;
    pairs.push_back(std::move(*pair));
    lines.push_back(i);
    gold.push_back(all_gold[i]);
  }
  if (pairs.size() < source.size()) {
    log_warn("{} of {} pairs are empty or too long for the model and have no alignment",
             source.size() - pairs.size(), source.size());
  }
  const auto& decoding = model.config().decoding;
  const auto head = resolve_alignment_head(model, decoding);
  auto found = align(model, pairs, head, decoding);
  const auto& tokenizers = model.tokenizers();
  for (std::size_t i = 0; i < found.size(); ++i)
    found[i] = text_links(found[i], text_word_ids(*tokenizers.source, source[lines[i]]),
                          text_word_ids(*tokenizers.target, references[lines[i]]));
  return alignment_error_rate(found, gold);
}

/// The translations of one system, and its alignment error rate if there are gold alignments.
struct Scored {
  std::string name;  // of the file, or of the model's folder
  Lines hypotheses;
  std::optional<double> alignment_error_rate;
};

/// Translates the source with the models. With --alignment, also computes the alignment error rate.
/// `references` are the lines of the first reference file.
Scored run_model(const EvaluateOptions& options, const Lines& references) {
  if (options.source.empty())
    throw ConfigError("", "nothing to evaluate",
                      "Give --source FILE (with a model) or --hypothesis FILE.");
  const auto source = read_lines(options.source);
  check_lines(options.source, source.size(), options.references.front(), references.size());
  std::vector<GoldAlignment> gold;
  if (!options.alignment.empty()) {
    const ParallelFiles files{options.source, options.references.front(), {}};
    gold = read_gold_alignments(pair_lines(source, references, files), options.alignment);
  }
  auto models = load_models(options.models, options.runtime, options.decoding);
  const SpinLimiter spin_limiter(thread_count());
  Scored scored;
  scored.name = models.front().folder().string();
  scored.hypotheses = translate_all(models, source);
  if (!options.alignment.empty())
    scored.alignment_error_rate =
        reference_alignment_error(models.front(), source, references, gold);
  return scored;
}

NamedMetric name_metric(const ComparisonOptions& options, Metric metric, std::size_t references) {
  switch (metric) {
    case Metric::bleu:
      return {metric, "BLEU", bleu_signature(options.bleu, references)};
    case Metric::chrf:
      return {metric, chrf_name(options.chrf), chrf_signature(options.chrf, references)};
    case Metric::ter:
      break;
  }
  return {metric, "TER", ter_signature(options.ter, references)};
}

EvaluationReport make_report(const EvaluateOptions& options, std::vector<std::string> names,
                             const std::vector<Lines>& systems, const References& references) {
  auto comparison = options.comparison;
  const bool has_confidence = options.confidence || systems.size() > 1;
  if (!has_confidence) comparison.bootstrap.samples = 0;
  std::vector<NamedMetric> metrics;
  for (const Metric metric : comparison.metrics) {
    auto& named = metrics.emplace_back(name_metric(comparison, metric, references.size()));
    if (has_confidence)
      named.signature = bootstrap_signature(named.signature, comparison.bootstrap);
  }
  return {.names = std::move(names),
          .results = compare_systems(systems, references, comparison),
          .metrics = std::move(metrics),
          .has_confidence = has_confidence};
}

void print_report(const EvaluateOptions& options, const EvaluationReport& report) {
  print_result(options.format == ReportFormat::json ? evaluation_json(report)
                                                    : evaluation_text(report));
}

void print_comparison(const EvaluateOptions& options, const References& references) {
  std::vector<Lines> systems;
  std::vector<std::string> names;
  for (const auto& file : options.hypotheses) {
    systems.push_back(read_lines(file));
    names.push_back(file.string());
    check_lines(file, systems.back().size(), options.references.front(), references.front().size());
  }
  print_report(options, make_report(options, std::move(names), systems, references));
}

void print_scores(const EvaluateOptions& options, const Scored& scored,
                  const References& references) {
  auto report = make_report(options, {scored.name}, {scored.hypotheses}, references);
  report.alignment_error_rate = scored.alignment_error_rate;
  print_report(options, report);
}

Scored read_hypotheses(const EvaluateOptions& options, std::size_t lines) {
  const auto& file = options.hypotheses.front();
  Scored scored{file.string(), read_lines(file), std::nullopt};
  check_lines(file, scored.hypotheses.size(), options.references.front(), lines);
  return scored;
}

/// Throws ConfigError for options that contradict each other, or that would be ignored.
void check_conflicts_of_files(const EvaluateOptions& options) {
  if (options.hypotheses.size() > 1 && !options.output.empty())
    throw ConfigError("--output", "needs a single translation, but several are given",
                      "Leave out --output, or give one file to --hypothesis.");
  if (options.references.size() > 1 && !options.alignment.empty())
    throw ConfigError("--alignment", "needs a single reference, but several are given",
                      "Leave out --alignment, or give the reference that is aligned.");
  if (!options.hypotheses.empty() && !(options.models.empty() && options.decoding.empty()))
    throw ConfigError("--hypothesis", "is a translation that exists, so no model is needed",
                      "Leave out --model and the options of decoding, or --hypothesis.");
}

int evaluate_as_given(EvaluateOptions options) {
  options.comparison.bootstrap.threads = options.runtime.threads;
  check_metrics(options.comparison);
  check_conflicts_of_files(options);
  auto files = options.hypotheses;
  files.insert(files.end(), options.references.begin(), options.references.end());
  files.push_back(options.source);
  require_one_standard_input(files);
  files.push_back(options.alignment);
  check_output_name(options.output, files);
  const auto references = read_references(options.references);
  warn_about_missing_spaces(options, references.front());
  if (options.hypotheses.size() > 1) {
    print_comparison(options, references);
    return 0;
  }
  std::optional<Output> kept;  // opened before translating, so that a bad path is reported at once
  if (!options.output.empty()) {
    kept.emplace(options.output);
    kept->install_handlers();
  }
  const auto scored = options.hypotheses.empty()
                          ? run_model(options, references.front())
                          : read_hypotheses(options, references.front().size());
  if (kept) {
    if (interrupt_requested()) kept->interrupt();
    for (const auto& hypothesis : scored.hypotheses) kept->line(hypothesis);
    kept->finish();
  }
  print_scores(options, scored, references);
  return 0;
}

}  // namespace

int run_evaluate(const EvaluateOptions& options) {
  return run_with_options(options.decoding, [&] { return evaluate_as_given(options); });
}

Command evaluate_command(Run<EvaluateOptions> run) {
  return {.name = "evaluate",
          .group = {},
          .section = "Evaluate",
          .summary = "Computes BLEU, chrF2 and TER of a model or of translations",
          .details =
              "The scores and their signatures are those of sacreBLEU. Several hypotheses are "
              "compared with the first one by paired bootstrap resampling.",
          .examples = {"tfm evaluate -m runs/demo --source test.de --reference test.en",
                       "tfm evaluate --hypothesis baseline.en new.en --reference test.en"},
          .read_more = "docs/evaluate.md",
          .prepare = with_options<EvaluateOptions>(add_evaluate_options, std::move(run))};
}

}  // namespace tfm
