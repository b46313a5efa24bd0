#include "evaluate_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "common_options.h"
#include "tfm/config/choices.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

constexpr const char* metrics_group = "Metrics";
constexpr const char* statistics_group = "Statistics";

const std::map<std::string, Metric>& metric_names() {
  static const std::map<std::string, Metric> names{
      {"bleu", Metric::bleu}, {"chrf", Metric::chrf}, {"ter", Metric::ter}};
  return names;
}

const std::map<std::string, BleuTokenizer>& tokenizer_names() {
  static const auto names = [] {
    std::map<std::string, BleuTokenizer> map;
    for (const auto tokenizer :
         {BleuTokenizer::mteval_13a, BleuTokenizer::zh, BleuTokenizer::character,
          BleuTokenizer::intl, BleuTokenizer::none})
      map.emplace(choice_name(tokenizer), tokenizer);
    return map;
  }();
  return names;
}

void add_text_options(CLI::App& app, EvaluateOptions& options) {
  auto* source =
      add_input_option(app, "--source", options.source, "Text to translate, plain or compressed");
  accept_standard_input(
      app.add_option("--reference", options.references,
                     "Reference translation; several files are several references for each line; "
                     "- is standard input"))
      ->required()
      ->type_name("FILE...")
      ->group(input_group);
  accept_standard_input(
      app.add_option(
          "--hypothesis", options.hypotheses,
          "Existing translations to score instead of a model's; several files are compared with "
          "the first, the baseline; - is standard input"))
      ->excludes(source)
      ->type_name("FILE...")
      ->group(input_group);
  app.add_option("--alignment", options.alignment,
                 "Gold alignments of source and reference, lines of \"0-0 1-2\": also prints the "
                 "model's alignment error rate")
      ->needs(source)
      ->type_name("FILE")
      ->group(input_group);
  add_output_option(app, options.output, "Also write the translations to this file");
  add_report_format(app, options.format,
                    "Format of the scores: text, or json, one object with all digits")
      ->group(input_group);
}

void add_metric_options(CLI::App& app, ComparisonOptions& options) {
  add_named_option(app, "metric", "--metrics", options.metrics, metric_names(),
                   "Metrics to compute: bleu, chrf (chrF2) and ter (translation edit rate)")
      ->default_str("bleu chrf")
      ->group(metrics_group);
  add_named_option(app, "tokenizer", "--tokenize", options.bleu.tokenizer, tokenizer_names(),
                   "Tokenizer of BLEU: 13a, zh (also separates each Chinese character), char "
                   "(separates all characters), intl (separates punctuation and symbols of all of "
                   "Unicode) or none (only white space separates tokens)")
      ->default_str(std::string(choice_name(options.bleu.tokenizer)))
      ->group(metrics_group);
  app.add_flag("--lowercase", options.bleu.lowercase, "Ignore case in BLEU")->group(metrics_group);
  app.add_option("--chrf-word-order", options.chrf.word_order,
                 "Longest n-grams of words in chrF; 2 gives chrF2++")
      ->check(whole_number(0, 2))
      ->capture_default_str()
      ->type_name("N")
      ->group(metrics_group);
}

void add_ter_options(CLI::App& app, TerOptions& options) {
  const auto add = [&app](const char* name, bool& flag, const char* help) {
    app.add_flag(name, flag, help)->group(metrics_group);
  };
  add("--ter-case-sensitive", options.case_sensitive, "Do not ignore case in TER");
  add("--ter-normalized", options.normalized,
      "Separate punctuation from words in TER; by default, only white space separates words");
  add("--ter-no-punct", options.no_punct, "Remove punctuation in TER");
  add("--ter-asian-support", options.asian_support,
      "With --ter-normalized, separate each Chinese character; with --ter-no-punct, remove "
      "punctuation of East Asian texts");
}

void add_bootstrap_options(CLI::App& app, BootstrapOptions& options) {
  app.add_option("--bootstrap-samples", options.samples, "Number of resamples")
      ->check(whole_number(1, 1000000))
      ->capture_default_str()
      ->type_name("N")
      ->group(statistics_group);
  app.add_option("--bootstrap-seed", options.seed, "Seed of the resamples")
      ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str()
      ->type_name("N")
      ->group(statistics_group);
}

/// Throws ConfigError if options of the metric are given but the metric is not computed. `names`
/// has the names of the options.
void check_options_of_metric(const std::vector<Metric>& metrics, const std::string& metric,
                             bool has_options, const std::string& names) {
  if (!has_options || std::ranges::count(metrics, metric_names().at(metric)) > 0) return;
  throw ConfigError("--metrics",
                    fmt::format("does not name {0}, but an option of {0} is given", metric),
                    fmt::format("Add {} to --metrics, or leave out {}.", metric, names));
}

}  // namespace

void add_evaluate_options(CLI::App& app, EvaluateOptions& options) {
  add_model_options(app, options.models);
  add_text_options(app, options);
  add_metric_options(app, options.comparison);
  add_ter_options(app, options.comparison.ter);
  app.add_flag("--confidence", options.confidence,
               "Add 95% confidence intervals by bootstrap resampling; always on with several "
               "hypotheses")
      ->group(statistics_group);
  add_bootstrap_options(app, options.comparison.bootstrap);
  add_runtime_options(app, options.runtime);
  add_decoding_options(app, options.decoding, Effect::decoding_output);
}

void check_metrics(const ComparisonOptions& options) {
  for (const auto& [name, metric] : metric_names()) {
    if (std::ranges::count(options.metrics, metric) > 1)
      throw ConfigError("--metrics", name + " is given several times", "Name each metric once.");
  }
  check_options_of_metric(options.metrics, "bleu", options.bleu != BleuOptions{},
                          "--tokenize and --lowercase");
  check_options_of_metric(options.metrics, "chrf", options.chrf != ChrfOptions{},
                          "--chrf-word-order");
  check_options_of_metric(options.metrics, "ter", options.ter != TerOptions{},
                          "the options that begin with --ter-");
}

}  // namespace tfm
