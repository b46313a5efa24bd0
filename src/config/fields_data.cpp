#include <fmt/format.h>

#include "section.h"
#include "tfm/config/modifiers.h"

namespace tfm {
namespace {

constexpr Section<DataConfig> data("data", &Config::data);

std::vector<Field> file_fields() {
  return {
      data.text("train_source", &DataConfig::train_source, {},
                "File with the source side of the training data: UTF-8, one sentence per line, "
                "plain or compressed. Line n is translated by line n of train_target. Training "
                "needs these two files or train_tsv."),
      data.text("train_target", &DataConfig::train_target, {},
                "File with the target side of the training data, with as many lines as "
                "train_source."),
      data.text("train_tsv", &DataConfig::train_tsv, {},
                "One file with both sides of the training data, plain or compressed: each line "
                "has the source, a tab and the target. It is used instead of train_source and "
                "train_target."),
      data.list("sets", &DataConfig::sets, {},
                "Several texts to train on, instead of train_source and train_target: each as "
                "NAME=SOURCE,TARGET or NAME=TSV. They are prepared in data.cache, whatever their "
                "size, unless cache has the value none. Without stages, every epoch visits all "
                "pairs of all sets "
                "once."),
      data.list("stages", &DataConfig::stages, {Effect::batch_content},
                "How sets are mixed, stage after stage: \"clean 0.8, backtranslated 0.2 until "
                "clean 2\" draws 80% of the pairs from the set clean, until the run has visited "
                "it twice; then the next stage begins. An epoch is one visit of that set. The "
                "last stage has no `until` and lasts until the run ends: \"clean 1\"."),
      data.list("tags", &DataConfig::tags,
                {Effect::batch_content, Effect::score, Effect::loss_score},
                "Tokens that the source sentences of a set begin with, each as SET=TAG: "
                "\"backtranslated=<BT>\", or \"de-fr=<2fr>\" for a model of several target "
                "languages. Names of sets in valid_sets may have a tag, too; valid stands for the "
                "first validation set. A vocabulary that the run learns gets the tags. They need "
                "tokenizer.kind: sentencepiece."),
      data.list("weights", &DataConfig::weights, {Effect::batch_content},
                "How much the pairs of a set count in the training loss, each as SET=NUMBER or "
                "SET=FILE: a weight for all of its pairs, or a file with one number for each line "
                "of the set. A pair's loss is multiplied by its weight. Without data.sets, the "
                "training data is named train. Pairs without a weight have 1."),
      data.list(
          "alignments", &DataConfig::alignments, {Effect::batch_content},
          "Files with the word alignments of the training data, each as SET=FILE, plain or "
          "compressed: one line for each line of the set, in Pharaoh format (\"0-0 1-2\" "
          "links words between white space, counted from 0; \"1p2\" is read as 1-2). If FILE is "
          "the set's own TSV file, the alignments are the third fields of its lines. "
          "Without data.sets, the training data is named train. The modifiers terms, "
          "random_terms and inline_noise need them, and leave the pairs of other sets as "
          "they are."),
      data.real("temperature", &DataConfig::temperature, {1, 100}, {Effect::batch_content},
                "Sets of n pairs are drawn from in proportion to n^(1/temperature), so that small "
                "ones are repeated (Arivazhagan et al. 2019, section 4.2, who use 5 for many "
                "languages). An epoch is one visit of the largest set. 1: every epoch visits all "
                "pairs of all sets once. It needs data.sets, and cannot be used with stages."),
      data.text("valid_source", &DataConfig::valid_source, {},
                "File with the source side of the validation set, in the format of train_source. "
                "Without a validation set nothing is validated, and the last weights become the "
                "model."),
      data.text("valid_target", &DataConfig::valid_target, {},
                "File with the target side of the validation set, with as many lines as "
                "valid_source."),
      data.text("valid_tsv", &DataConfig::valid_tsv, {},
                "One file with both sides of the validation set, in the format of train_tsv. It is "
                "used instead of valid_source and valid_target."),
      data.text("valid_alignment", &DataConfig::valid_alignment, {},
                "File with gold word alignments of the validation set, one line per sentence pair, "
                "in Pharaoh format: \"0-0 1-2\" links source words with target words, \"1p2\" is a "
                "possible link. decoding.alignment_head: auto then uses the attention head with "
                "the lowest error against them. Without gold alignments, the head is chosen by how "
                "often the words that it aligns occur together."),
      data.list("valid_sets", &DataConfig::valid_sets, {},
                "Further validation sets, each as NAME=SOURCE,TARGET or NAME=TSV. Each validation "
                "scores all of them and reports the scores with their names. Only the first "
                "validation set selects the best model and decides about early_stopping."),
      data.text("source_language", &DataConfig::source_language, {},
                "Code of the source language, such as de or pt-BR (ISO 639-1, or BCP 47 with a "
                "variant). tfm serve routes requests by it. Empty: the ending of train_source "
                "(train.de, train.de.gz)."),
      data.text("target_language", &DataConfig::target_language, {},
                "Code of the target language, in the form of source_language. Empty: the ending of "
                "train_target."),
  };
}

std::vector<Field> line_fields() {
  return {
      data.boolean("source_eos", &DataConfig::source_eos,
                   {Effect::shapes_model, Effect::fixed_in_run, Effect::batch_content},
                   "If true, every source sentence ends with the end-of-sentence token."),
      data.choice("language_tags", &DataConfig::language_tags,
                  {Effect::shapes_model, Effect::fixed_in_run, Effect::batch_content},
                  "Place of the source language's tag in sources of imported models that read a "
                  "tag of each language (M2M-100, NLLB-200): first, before the text, or after_eos, "
                  "behind the end-of-sentence token. The decoder of such a model reads the tag of "
                  "the target language before the translation. none: no such tags. tfm does not "
                  "train models with such tags."),
      data.integer("max_length", &DataConfig::max_length, {2, 1048576},
                   {Effect::batch_content, Effect::score, Effect::loss_score},
                   "Maximum length of each side of a training pair, in tokens, with the "
                   "end-of-sentence token. long_lines decides what happens to longer pairs. When "
                   "translating, a longer line is translated in segments "
                   "(decoding.split_sentences)."),
      data.integer(
          "fixed_length", &DataConfig::fixed_length, {0, 1048576},
          {Effect::batch_content, Effect::score, Effect::loss_score},
          "If above 0, the length in tokens, with the end-of-sentence token, of every source and "
          "target of a training batch: shorter ones are padded and longer ones truncated, whatever "
          "long_lines is. 0: each batch is as long as its longest sentence."),
      data.choice("long_lines", &DataConfig::long_lines,
                  {Effect::batch_content, Effect::loss_score},
                  "What happens to a pair with a side longer than max_length. skip: the pair is "
                  "skipped and counted. truncate: the side is truncated to max_length. error: the "
                  "run stops."),
      data.choice("bad_lines", &DataConfig::bad_lines, {Effect::batch_content},
                  "What happens to a line that is not valid UTF-8, to a pair with an empty side, "
                  "and to a TSV line without exactly one tab. skip: the pair is skipped and "
                  "counted. error: the run stops."),
      data.text("cache", &DataConfig::cache, {},
                "Folder for training data that is too large for memory: it is encoded once, into "
                "files of this folder, which later runs with the same text and vocabulary use, "
                "too. auto: files of more than 256 MiB get the folder tfm-cache beside "
                "train_source, or in the user's cache if that cannot be written; smaller ones are "
                "kept in memory. none: always in memory. For subword sampling and modifiers, the "
                "folder also holds the text."),
  };
}

std::string modifiers_doc() {
  std::string doc =
      "Changes of the training text that make a model robust, as in OpusTrainer, each as "
      "NAME=PROBABILITY: \"typos=0.1\" gives one pair in ten typing errors. In every epoch, other "
      "pairs are changed. The modifiers are applied one after the other, in the order of the "
      "list. A pair that gets too long or gets unknown tokens stays as it was. What a changed "
      "pair is:";
  for (const ModifierInfo& info : known_modifiers)
    doc += fmt::format("{} {}: {}", &info == known_modifiers.begin() ? "" : ";", info.name,
                       info.summary);
  return doc + ".";
}

std::vector<Field> augmentation_fields() {
  return {
      data.boolean("bidirectional", &DataConfig::bidirectional, {},
                   "If true, one model is trained on every pair in both directions: the "
                   "pre-training of Bi-SimCut (Gao et al. 2022, after Ding et al. 2021), which a "
                   "run in one direction then continues with training.init_from. It needs "
                   "tokenizer.joint; validation sets keep their direction."),
      data.real("bpe_dropout", &DataConfig::bpe_dropout, {0, 0.95}, {Effect::batch_content},
                "Probability that a BPE merge is skipped when the training data is segmented, "
                "which is repeated for every epoch, so that the model sees a word in many "
                "segmentations (BPE-dropout, Provilkov et al. 2020, who use 0.1). It needs "
                "tokenizer.algorithm: bpe. 0: the segmentation is always the same."),
      data.real("unigram_alpha", &DataConfig::unigram_alpha, {0, 100}, {Effect::batch_content},
                "Exponent of subword sampling: for every epoch, the training data is segmented "
                "again, and a segmentation is sampled with a probability proportional to P^alpha. "
                "A smaller alpha gives more variety (subword regularization, Kudo 2018, section 3, "
                "who uses 0.1 to 0.5). It needs tokenizer.algorithm: unigram; 0: always the most "
                "probable segmentation."),
      data.list("modifiers", &DataConfig::modifiers, {Effect::batch_content}, modifiers_doc()),
      data.text("term_template", &DataConfig::term_template, {Effect::batch_content},
                "How the modifiers terms and random_terms write a term: symbols, and the places of "
                "the term ({src}) and of its translation ({trg}), separated by spaces. Without "
                "{src}, the translation replaces the term. A vocabulary that the run learns gets "
                "the symbols."),
  };
}

}  // namespace

std::vector<Field> data_fields() {
  std::vector<Field> table = file_fields();
  for (const auto& part : {line_fields(), augmentation_fields()})
    table.insert(table.end(), part.begin(), part.end());
  return table;
}

}  // namespace tfm
