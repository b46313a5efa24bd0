#include <fmt/format.h>

#include <optional>

#include "tfm/cli/commands.h"
#include "tfm/cli/load.h"
#include "tfm/cli/output.h"
#include "tfm/core/error.h"
#include "tfm/data/line_reader.h"
#include "tfm/metrics/bleu.h"
#include "tfm/metrics/chrf.h"
#include "tfm/translate/alignment.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

using Lines = std::vector<std::string>;

void check_lines(const std::filesystem::path& file, std::size_t lines, const std::filesystem::path& reference, std::size_t reference_lines) {
  if (lines == reference_lines) return;
  throw DataError(file.string(), fmt::format("has {} lines where {} has {}", lines, reference.string(), reference_lines),
                  "Line i of one must belong to line i of the other.");
}

Lines translate_all(std::vector<TranslationModel>& models, const Lines& source) {
  Lines texts;
  std::size_t unusual = 0;
  for (const auto& translation : Translator(pointers(models), models.front().config.decoding).translate(source)) {
    texts.push_back(translation.text());
    unusual += translation.repaired || translation.too_long || !translation.unknown.empty() ? 1 : 0;
  }
  if (unusual > 0)
    spdlog::warn("{} of {} lines hold unknown words, are too long or not valid UTF-8; `tfm translate` says which", unusual, source.size());
  return texts;
}

/// Of the reference translations, not of the model's own: that is what the true alignments belong to.
double error_rate_of_alignments(TranslationModel& model, const Lines& source, const Lines& references, const std::vector<GoldAlignment>& all_gold) {
  std::vector<TokenPair> pairs;
  std::vector<GoldAlignment> gold;
  for (std::size_t i = 0; i < source.size(); ++i) {
    auto pair = encode_pair(model, source[i], references[i]);
    if (!pair) continue;
    pairs.push_back(std::move(*pair));
    gold.push_back(all_gold[i]);
  }
  if (pairs.size() < source.size()) {
    spdlog::warn("{} of {} pairs are empty or too long for the model: no alignment", source.size() - pairs.size(), source.size());
  }
  return alignment_error_rate(align(model, pairs, chosen_alignment_head(model)), gold);
}

struct Scored {
  Lines hypotheses;
  std::optional<double> alignment_error_rate;
};

Scored run_model(const EvaluateOptions& options, const Lines& references) {
  if (options.source.empty()) throw ConfigError("", "nothing to evaluate", "Give --source FILE (with a model) or --hypothesis FILE.");
  const auto source = read_lines(options.source);
  check_lines(options.source, source.size(), options.reference, references.size());
  std::vector<GoldAlignment> gold;
  if (!options.alignment.empty()) {
    gold = read_alignments(options.alignment);
    check_lines(options.alignment, gold.size(), options.reference, references.size());
  }
  auto models = load_for_decoding(options.models, options.runtime, options.decoding);
  Scored scored;
  scored.hypotheses = translate_all(models, source);
  if (!options.alignment.empty()) scored.alignment_error_rate = error_rate_of_alignments(models.front(), source, references, gold);
  return scored;
}

}  // namespace

int evaluate_command(const EvaluateOptions& options) {
  const auto references = read_lines(options.reference);
  std::optional<Output> kept;  // opened before the work is done
  if (!options.output.empty()) kept.emplace(options.output);
  const auto scored = options.hypothesis.empty() ? run_model(options, references) : Scored{read_lines(options.hypothesis), std::nullopt};
  const auto bleu = corpus_bleu(scored.hypotheses, references);
  if (kept) {
    for (const auto& hypothesis : scored.hypotheses) kept->line(hypothesis);
    kept->finish();
  }
  Output output;
  output.line("BLEU|" + bleu_signature() + " " + bleu.format().substr(std::string("BLEU ").size()));
  output.line("chrF2|" + chrf_signature() + fmt::format(" = {:.2f}", corpus_chrf(scored.hypotheses, references)));
  if (scored.alignment_error_rate) output.line(fmt::format("AER = {:.4f}", *scored.alignment_error_rate));
  output.finish();
  return 0;
}

}  // namespace tfm
