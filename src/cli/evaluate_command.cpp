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

constexpr const char* evaluate_help = R"(Examples:
  tfm evaluate -m runs/multi30k_de_en --source test.de --reference test.en
  tfm evaluate --hypothesis system.en --reference test.en --confidence
  tfm evaluate --hypothesis baseline.en a.en b.en --reference test.en

Prints corpus BLEU and chrF2, as sacreBLEU computes them, with their signatures. Several )"
                                      R"(hypotheses are compared with the first of
them by paired bootstrap resampling.)";

void add_text_options(CLI::App& app, EvaluateOptions& options) {
  auto* source = app.add_option("--source", options.source, "Text to translate, plain or .gz")
                     ->type_name("FILE");
  app.add_option("--reference", options.reference, "Its reference translation")
      ->required()
      ->type_name("FILE");
  app.add_option("--hypothesis", options.hypotheses,
                 "A ready translation to score, in place of a model; several: the first is what "
                 "others are compared with")
      ->excludes(source)
      ->type_name("FILE");
  app.add_option("--alignment", options.alignment,
                 "Word alignments of source and reference (\"0-0 1-2\" a line): prints how far "
                 "the model's are from them")
      ->needs(source)
      ->type_name("FILE");
  add_output_option(app, options.output, "Keep the translations here");
}

void add_options(CLI::App& app, EvaluateOptions& options) {
  add_model_options(app, options.models);
  add_text_options(app, options);
  app.add_flag("--confidence", options.confidence,
               "Add 95% confidence intervals, by bootstrap resampling; with several "
               "hypotheses they are always there");
  app.add_option("--bootstrap-samples", options.bootstrap.samples, "Resamples (1000)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("");
  app.add_option("--bootstrap-seed", options.bootstrap.seed, "What the resamples depend on (12345)")
      ->type_name("");
  add_runtime_options(app, options.runtime);
  add_decoding_options(app, options.decoding, Effect::decoding_output);
}

using Lines = std::vector<std::string>;

void check_lines(const std::filesystem::path& file, std::size_t lines,
                 const std::filesystem::path& reference, std::size_t reference_lines) {
  if (lines == reference_lines) return;
  throw DataError(
      file.string(),
      fmt::format("has {} lines where {} has {}", lines, reference.string(), reference_lines),
      "Line i of one must belong to line i of the other.");
}

Lines translate_all(std::vector<Model>& models, const Lines& source) {
  Lines texts;
  std::size_t unusual = 0;
  for (const auto& translation :
       Translator(pointers(models), models.front().config().decoding).translate(source)) {
    texts.push_back(translation.text());
    unusual += translation.repaired || translation.too_long || !translation.unknown.empty() ? 1 : 0;
  }
  if (unusual > 0)
    log_warn(
        "{} of {} lines hold unknown words, are too long or not valid UTF-8; `tfm translate` says "
        "which",
        unusual, source.size());
  return texts;
}

/// Of the reference translations, not of the model's own: that is what the true alignments belong
/// to.
double error_rate_of_alignments(Model& model, const Lines& source, const Lines& references,
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
    log_warn("{} of {} pairs are empty or too long for the model: no alignment",
             source.size() - pairs.size(), source.size());
  }
  const auto& decoding = model.config().decoding;
  const auto head = resolve_alignment_head(model, decoding);
  return alignment_error_rate(align(model, pairs, head, decoding), gold);
}

/// One system's translations.
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
        error_rate_of_alignments(models.front(), source, references, gold);
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

Scored ready_translation(const EvaluateOptions& options, const Lines& references) {
  const auto& file = options.hypotheses.front();
  Scored scored{read_lines(file), std::nullopt};
  check_lines(file, scored.hypotheses.size(), options.reference, references.size());
  return scored;
}

}  // namespace

int run_evaluate(const EvaluateOptions& given) {
  auto options = given;
  options.bootstrap.threads = options.runtime.threads;
  const auto references = read_lines(options.reference);
  if (options.hypotheses.size() > 1) {
    if (!options.output.empty())
      throw ConfigError("--output", "there is more than one translation",
                        "Leave it out, or give one --hypothesis.");
    print_comparison(options, references);
    return 0;
  }
  std::optional<Output> kept;  // opened before the work is done
  if (!options.output.empty()) kept.emplace(options.output);
  const auto scored = options.hypotheses.empty() ? run_model(options, references)
                                                 : ready_translation(options, references);
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
          .summary = evaluate_help,
          .prepare = with_options<EvaluateOptions>(add_options, std::move(run))};
}

}  // namespace tfm
