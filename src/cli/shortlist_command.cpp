#include "shortlist_command.h"

#include "common_options.h"
#include "output.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/data/training_corpus.h"
#include "tfm/model/model.h"
#include "tfm/model/model_files.h"
#include "tfm/translate/shortlist.h"

namespace tfm {
namespace {

constexpr const char* shortlist_help = R"(Examples:
  tfm shortlist -m runs/multi30k_de_en
  tfm translate -m runs/multi30k_de_en --shortlist auto -i test.de

Learns from the training text which target tokens may translate each source token, and keeps )"
                                       R"(them in the model's folder. With them,
translation looks at those tokens only: faster, the more so the larger the vocabulary is.)";

void add_options(CLI::App& app, ShortlistOptions& options) {
  add_model_option(app, options.model);
  auto* source = app.add_option(
      "--source", options.source,
      "Sentences to learn from, plain or .gz; default: what the model was trained on");
  source->type_name("FILE");
  auto* target = app.add_option("--target", options.target, "Their translations, line by line")
                     ->needs(source)
                     ->type_name("FILE");
  source->needs(target);
  app.add_option("--per-token", options.size.per_token,
                 "How many translations of a source token to keep (50)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("");
  app.add_option("--frequent", options.size.frequent,
                 "How many frequent target tokens to offer always (50)")
      ->check(CLI::Range(0, 1000000))
      ->type_name("");
  add_output_option(app, options.output,
                    "The file to write; default: shortlist.safetensors in the model's folder");
}

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

int run_shortlist(const ShortlistOptions& options) {
  const auto folder = options.model.empty() ? default_model() : options.model;
  const auto model = Model::load(folder, "cpu");
  const auto& data = model.config().data;
  auto text = read_parallel(text_files(options, data), data.bad_lines);
  for (const auto& line : describe(text.skipped)) log_warn("{}", line);
  if (data.bidirectional) text = both_directions(std::move(text));
  const auto corpus = encode_corpus(text, model.tokenizers(), data);
  for (const auto& line : describe(corpus.skipped)) log_warn("{}", line);

  const auto shortlist = learn_shortlist(corpus, model.tokenizers(), options.size);
  const auto file = options.output.empty() ? folder / shortlist_file : options.output;
  shortlist.write(file, model.tokenizers());
  log_info("of {} pairs; it holds {:.2f}% of the target tokens of its own text",
           corpus.examples.size(), 100 * coverage(shortlist, corpus));
  Output output;
  output.line(file.string());
  output.finish();
  return 0;
}

Command shortlist_command(Run<ShortlistOptions> run) {
  return {.name = "shortlist",
          .group = {},
          .summary = shortlist_help,
          .prepare = with_options<ShortlistOptions>(add_options, std::move(run))};
}

}  // namespace tfm
