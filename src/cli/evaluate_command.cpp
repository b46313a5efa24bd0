#include "evaluate_command.h"

#include <fmt/format.h>

#include <optional>

#include "common_options.h"
#include "comparison_table.h"
#include "load.h"
#include "output.h"
#include "tfm/core/error.h"
#include "tfm/core/line_reader.h"
#include "tfm/core/log.h"
#include "tfm/metrics/bleu.h"
#include "tfm/metrics/chrf.h"
#include "tfm/translate/alignment.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

constexpr const char* statistics_group = "Statistics";

void add_text_options(CLI::App& app, EvaluateOptions& options) {
  auto* source =
      add_input_option(app, "--source", options.source, "Text to translate, plain or .gz");
  add_input_option(app, "--reference", options.reference, "Reference translation")->required();
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
}

void add_options(CLI::App& app, EvaluateOptions& options) {
  add_model_options(app, options.models);
  add_text_options(app, options);
  app.add_flag("--confidence", options.confidence,
               "Add 95% confidence intervals by bootstrap resampling; always on with several "
               "hypotheses")
      ->group(statistics_group);
  app.add_option("--bootstrap-samples", options.bootstrap.samples, "Number of resamples")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str()
      ->type_name("N")
      ->group(statistics_group);
  app.add_option("--bootstrap-seed", options.bootstrap.seed, "Seed of the resamples")
      ->capture_default_str()
      ->type_name("N")
      ->group(statistics_group);
  add_runtime_options(app, options.runtime);
  add_decoding_options(app, options.decoding, Effect::decoding_output);
}

using Lines = std::vector<std::string>;

void check_lines(const std::filesystem::path& file, std::size_t lines,
                 const std::filesystem::path& reference, std::size_t reference_lines) {
  if (lines == reference_lines) return;
  throw DataError(
      file.string(),
      fmt::format("has {} lines, but {} has {}", lines, reference.string(), reference_lines),
      "Line i of one file must belong to line i of the other.");
}

Lines translate_all(std::vector<Model>& models, const Lines& source) {
  Lines texts;
  std::size_t unusual = 0;
  for (const auto& translation :
       Translator(pointers(models), models.front().config().decoding).translate(source)) {
    texts.push_back(translation.text());
    unusual += translation.had_invalid_utf8 || translation.too_long || !translation.unknown.empty()
                   ? 1
                   : 0;
  }
  if (unusual > 0)
    log_warn(
        "{} of {} lines contain unknown words, are too long or not valid UTF-8; `tfm translate` "
        "prints which",
        unusual, source.size());
  return texts;
}

/// Aligns the reference translations, not the model's output, because the gold alignments were made
/// for the references.
double reference_alignment_error(Model& model, const Lines& source, const Lines& references,
                                 const std::vector<GoldAlignment>& all_gold) {
  std::vector<EncodedPair> pairs;
  std::vector<GoldAlignment> gold;
  for (std::size_t i = 0; i < source.size(); ++i) {
    auto pair = encode_pair(model, source[i], references[i]);
    if (!pair) continue;
    pairs.push_back(std::move(*pair));
    gold.push_back(all_gold[i]);
  }
  if (pairs.size() < source.size()) {
    log_warn("{} of {} pairs are empty or too long for the model and have no alignment",
             source.size() - pairs.size(), source.size());
  }
  const auto& decoding = model.config().decoding;
  const auto head = resolve_alignment_head(model, decoding);
  return alignment_error_rate(align(model, pairs, head, decoding), gold);
}

/// The translations of one system.
struct Scored {
  Lines hypotheses;
  std::optional<double> alignment_error_rate;
};

Scored run_model(const EvaluateOptions& options, const Lines& references) {
  if (options.source.empty())
    throw ConfigError("", "nothing to evaluate",
                      "Give --source FILE (with a model) or --hypothesis FILE.");
  const auto source = read_lines(options.source);
  check_lines(options.source, source.size(), options.reference, references.size());
  std::vector<GoldAlignment> gold;
  if (!options.alignment.empty()) {
    gold = read_alignments(options.alignment);
    check_lines(options.alignment, gold.size(), options.reference, references.size());
  }
  auto models = load_models(options.models, options.runtime, options.decoding);
  Scored scored;
  scored.hypotheses = translate_all(models, source);
  if (!options.alignment.empty())
    scored.alignment_error_rate =
        reference_alignment_error(models.front(), source, references, gold);
  return scored;
}

void print_comparison(const EvaluateOptions& options, const Lines& references) {
  std::vector<Lines> systems;
  std::vector<std::string> names;
  for (const auto& file : options.hypotheses) {
    systems.push_back(read_lines(file));
    names.push_back(file.string());
    check_lines(file, systems.back().size(), options.reference, references.size());
  }
  Output output;
  output.line("BLEU|" + bootstrap_signature(bleu_signature(), options.bootstrap));
  output.line("chrF2|" + bootstrap_signature(chrf_signature(), options.bootstrap));
  output.write(comparison_table(names, compare_systems(systems, references, options.bootstrap)));
  output.finish();
}

void print_scores(const EvaluateOptions& options, const Scored& scored, const Lines& references) {
  auto bootstrap = options.bootstrap;
  if (!options.confidence) bootstrap.samples = 0;
  const auto result = compare_systems({scored.hypotheses}, references, bootstrap).front();
  const auto name = [&](const std::string& signature) {
    return options.confidence ? bootstrap_signature(signature, bootstrap) : signature;
  };
  const auto confidence = [&](const MetricResult& metric) {
    return options.confidence ? format_confidence(metric.confidence) : std::string();
  };
  Output output;
  output.line(fmt::format("BLEU|{} = {:.2f}{} {}", name(bleu_signature()), result.bleu.score,
                          confidence(result.bleu), result.bleu_details.format_details()));
  output.line(fmt::format("chrF2|{} = {:.2f}{}", name(chrf_signature()), result.chrf.score,
                          confidence(result.chrf)));
  if (scored.alignment_error_rate)
    output.line(fmt::format("AER = {:.4f}", *scored.alignment_error_rate));
  output.finish();
}

Scored read_hypotheses(const EvaluateOptions& options, const Lines& references) {
  const auto& file = options.hypotheses.front();
  Scored scored{read_lines(file), std::nullopt};
  check_lines(file, scored.hypotheses.size(), options.reference, references.size());
  return scored;
}

}  // namespace

int run_evaluate(const EvaluateOptions& given) {
  auto options = given;
  options.bootstrap.threads = options.runtime.threads;
  auto files = options.hypotheses;
  files.insert(files.end(), {options.source, options.reference});
  require_one_standard_input(files);
  const auto references = read_lines(options.reference);
  if (options.hypotheses.size() > 1) {
    if (!options.output.empty())
      throw ConfigError("--output", "needs a single translation, but several are given",
                        "Leave out --output, or give one file to --hypothesis.");
    print_comparison(options, references);
    return 0;
  }
  std::optional<Output> kept;  // opened first, so that a bad path is reported before the work
  if (!options.output.empty()) kept.emplace(options.output);
  const auto scored = options.hypotheses.empty() ? run_model(options, references)
                                                 : read_hypotheses(options, references);
  if (kept) {
    for (const auto& hypothesis : scored.hypotheses) kept->line(hypothesis);
    kept->finish();
  }
  print_scores(options, scored, references);
  return 0;
}

Command evaluate_command(Run<EvaluateOptions> run) {
  return {.name = "evaluate",
          .group = {},
          .section = "Evaluate",
          .summary = "Computes BLEU and chrF2 of a model or of translations",
          .details =
              "The scores and their signatures are those of sacreBLEU. Several hypotheses are "
              "compared with the first one by paired bootstrap resampling.",
          .examples = {"tfm evaluate -m runs/demo --source test.de --reference test.en",
                       "tfm evaluate --hypothesis baseline.en new.en --reference test.en"},
          .read_more = "docs/evaluate.md",
          .prepare = with_options<EvaluateOptions>(add_options, std::move(run))};
}

}  // namespace tfm
