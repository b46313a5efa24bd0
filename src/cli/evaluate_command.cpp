#include <fmt/format.h>

#include <optional>

#include "tfm/cli/commands.h"
#include "tfm/cli/load.h"
#include "tfm/cli/output.h"
#include "tfm/core/error.h"
#include "tfm/data/line_reader.h"
#include "tfm/metrics/bleu.h"
#include "tfm/metrics/chrf.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

std::vector<std::string> hypotheses_of(const EvaluateOptions& options, std::size_t reference_lines) {
  if (!options.hypothesis.empty()) return read_lines(options.hypothesis);
  if (options.source.empty()) throw ConfigError("", "nothing to evaluate", "Give --source FILE (with a model) or --hypothesis FILE.");
  const auto source = read_lines(options.source);
  if (source.size() != reference_lines) {
    throw DataError(options.source.string(), fmt::format("has {} lines where {} has {}", source.size(), options.reference.string(), reference_lines),
                    "Line i of one must be the translation of line i of the other.");
  }
  auto model = load_for_decoding(options.model, options.runtime, options.decoding);
  std::vector<std::string> texts;
  std::size_t unusual = 0;
  for (const auto& translation : Translator(model, model.config.decoding).translate(source)) {
    texts.push_back(translation.text());
    unusual += translation.repaired || translation.parts > 1 || !translation.unknown.empty() ? 1 : 0;
  }
  if (unusual > 0)
    spdlog::warn("{} of {} lines hold unknown words, are too long or not valid UTF-8; `tfm translate` says which", unusual, source.size());
  return texts;
}

}  // namespace

int evaluate_command(const EvaluateOptions& options) {
  const auto references = read_lines(options.reference);
  std::optional<Output> kept;  // opened before the work is done
  if (!options.output.empty()) kept.emplace(options.output);
  const auto hypotheses = hypotheses_of(options, references.size());
  const auto bleu = corpus_bleu(hypotheses, references);
  if (kept) {
    for (const auto& hypothesis : hypotheses) kept->line(hypothesis);
    kept->finish();
  }
  Output output;
  output.line("BLEU|" + bleu_signature() + " " + bleu.format().substr(std::string("BLEU ").size()));
  output.line("chrF2|" + chrf_signature() + fmt::format(" = {:.2f}", corpus_chrf(hypotheses, references)));
  output.finish();
  return 0;
}

}  // namespace tfm
