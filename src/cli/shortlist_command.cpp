#include "tfm/cli/commands.h"
#include "tfm/cli/output.h"
#include "tfm/core/error.h"
#include "tfm/data/training_corpus.h"
#include "tfm/model/model_folder.h"
#include "tfm/translate/shortlist.h"

namespace tfm {
namespace {

/// What the command line names, else what the model was trained on.
ParallelFiles text_files(const ShortlistOptions& options, const DataConfig& data) {
  if (!options.source.empty()) return {options.source, options.target, {}};
  auto files = train_files(data);
  const auto& first = files.tsv.empty() ? files.source : files.tsv;
  if (files.empty() || !std::filesystem::exists(first)) {
    throw ConfigError("--source, --target",
                      "the model's training text is not here (" +
                          (files.empty() ? "it names none" : first.string()) + ")",
                      "Name text to learn from.");
  }
  return files;
}

}  // namespace

int shortlist_command(const ShortlistOptions& options) {
  const auto folder = options.model.empty() ? default_model() : options.model;
  const auto model = load_model(folder, torch::kCPU);
  const auto& data = model.config.data;
  auto text = read_parallel(text_files(options, data), data.bad_lines);
  for (const auto& line : describe(text.skipped)) spdlog::warn("{}", line);
  if (data.bidirectional) text = both_directions(std::move(text));
  const auto corpus = encode_corpus(text, model.tokenizers, data);
  for (const auto& line : describe(corpus.skipped)) spdlog::warn("{}", line);

  const auto shortlist = learn_shortlist(corpus, model.tokenizers, options.size);
  const auto file = options.output.empty() ? folder / shortlist_file : options.output;
  shortlist.write(file, model.tokenizers);
  spdlog::info("of {} pairs; it holds {:.2f}% of the target tokens of its own text",
               corpus.examples.size(), 100 * coverage(shortlist, corpus));
  Output output;
  output.line(file.string());
  output.finish();
  return 0;
}

}  // namespace tfm
