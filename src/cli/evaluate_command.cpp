#include <fmt/format.h>

#include <iostream>

#include "tfm/cli/commands.h"
#include "tfm/cli/load.h"
#include "tfm/core/error.h"
#include "tfm/core/files.h"
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
  for (const auto& translation : Translator(model, model.config.decoding).translate(source)) texts.push_back(translation.text());
  return texts;
}

}  // namespace

int evaluate_command(const EvaluateOptions& options) {
  const auto references = read_lines(options.reference);
  const auto hypotheses = hypotheses_of(options, references.size());
  if (!options.output.empty()) write_file(options.output, fmt::format("{}\n", fmt::join(hypotheses, "\n")));
  const auto bleu = corpus_bleu(hypotheses, references);
  std::cout << "BLEU|" << bleu_signature() << ' ' << bleu.format().substr(std::string("BLEU ").size()) << '\n'
            << "chrF2|" << chrf_signature() << fmt::format(" = {:.2f}\n", corpus_chrf(hypotheses, references)) << std::flush;
  return 0;
}

}  // namespace tfm
