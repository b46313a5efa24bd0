#include "shortlist_command.h"

#include "common_options.h"
#include "output.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/core/output_name.h"
#include "tfm/data/training_corpus.h"
#include "tfm/model/model.h"
#include "tfm/model/model_files.h"
#include "tfm/translate/shortlist.h"

namespace tfm {
namespace {

void add_options(CLI::App& app, ShortlistOptions& options) {
  add_model_option(app, options.model);
  auto* source = app.add_option(
      "--source", options.source,
      "Source side of the corpus to learn from, plain or compressed; without it, the training data "
      "of the model");
  source->type_name("FILE")->group(input_group);
  auto* target =
      app.add_option("--target", options.target, "Target side of the corpus, line by line")
          ->needs(source)
          ->type_name("FILE")
          ->group(input_group);
  source->needs(target);
  app.add_option("--per-token", options.size.per_token,
                 "Target tokens to keep per source token, the most probable ones")
      ->check(whole_number(1, 1000000))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--frequent", options.size.frequent,
                 "Frequent target tokens that are candidates for every sentence")
      ->check(whole_number(0, 1000000))
      ->capture_default_str()
      ->type_name("N");
  add_output_option(app, options.output,
                    "The file to write; without it, shortlist.safetensors in the model folder");
}

ConfigError missing_data(const std::string& what) {
  return {"--source, --target", "the model's training data is missing (" + what + ")",
          "Give the files to learn from with --source and --target."};
}

/// Returns the text that the command line names or, if it names none, the training texts of the
/// model. Throws ConfigError if training texts are needed but the config of the model names none,
/// or if one of their files does not exist.
std::vector<TrainingSet> texts_to_read(const ShortlistOptions& options, const DataConfig& data) {
  if (!options.source.empty())
    return {{.name = "", .files = {options.source, options.target, {}}, .tag = ""}};
  if (data.sets.empty() && train_files(data).empty())
    throw missing_data("its config names no files");
  auto sets = training_sets(data);
  for (const auto& file : files_of(sets)) {
    if (!std::filesystem::exists(file)) throw missing_data(file.string());
  }
  return sets;
}

/// Reads and encodes one text after the other, so that only one is in memory besides the tokens.
Corpus read_corpus(const std::vector<TrainingSet>& texts, const Model& model) {
  const auto& data = model.config().data;
  Corpus corpus;
  for (const auto& set : texts) {
    auto text = read_parallel(set.files, data.bad_lines);
    for (const auto& line : describe(text.skipped)) log_warn("{}", line);
    text.tag = set.tag;
    if (data.bidirectional) text = with_reversed_pairs(std::move(text));
    const auto part = encode_corpus(text, model.tokenizers(), data);
    for (const auto& line : describe(part.skipped)) log_warn("{}", line);
    append(corpus, part);
  }
  return corpus;
}

}  // namespace

int run_shortlist(const ShortlistOptions& options) {
  const auto folder = options.model.empty() ? default_model() : options.model;
  const auto model = Model::load(folder, "cpu");
  const auto texts = texts_to_read(options, model.config().data);
  const auto file =
      options.output.empty() ? description_folder(folder) / shortlist_file : options.output;
  refuse_to_replace(files_of(texts), file);
  const auto corpus = read_corpus(texts, model);
  const auto shortlist = learn_shortlist(corpus, model.tokenizers(), options.size);
  shortlist.write(file, model.tokenizers());
  log_info("learnt from {} pairs; it covers {:.2f}% of their target tokens", corpus.examples.size(),
           100 * coverage(shortlist, corpus));
  print_result(file.string() + "\n");
  return 0;
}

Command shortlist_command(Run<ShortlistOptions> run) {
  return {.name = "shortlist",
          .group = {},
          .section = "Translate",
          .summary = "Learns a shortlist of target tokens, for faster translation",
          .details =
              "The shortlist contains the probable target tokens of each source token, learnt "
              "from parallel text. `tfm translate --shortlist auto` computes the output layer "
              "for these tokens only, which is faster the larger the vocabulary is.",
          .examples = {"tfm shortlist -m runs/multi30k_de_en",
                       "tfm translate -m runs/multi30k_de_en --shortlist auto -i test.de"},
          .read_more = "docs/translate.md",
          .prepare = with_options<ShortlistOptions>(add_options, std::move(run))};
}

}  // namespace tfm
