#include "section.h"

namespace tfm {
namespace {

constexpr Section<DataConfig> data("data", &Config::data);

std::vector<Field> file_fields() {
  return {
      data.text("train_source", &DataConfig::train_source, {},
                "Training text, source side: UTF-8, one sentence a line, plain or gzip. Its line n "
                "belongs to line n of train_target. Training needs "
                "this pair of files, or train_tsv."),
      data.text("train_target", &DataConfig::train_target, {},
                "Training text, target side, with as many lines as train_source."),
      data.text("train_tsv", &DataConfig::train_tsv, {},
                "Training text in one file, plain or gzip: source, a tab, target on each line. "
                "Instead of train_source and train_target."),
      data.text("valid_source", &DataConfig::valid_source, {},
                "Validation text, source side, as train_source. Without validation text nothing is "
                "validated, and the last weights are the model."),
      data.text("valid_target", &DataConfig::valid_target, {},
                "Validation text, target side, with as many lines as valid_source."),
      data.text(
          "valid_tsv", &DataConfig::valid_tsv, {},
          "Validation text in one file, as train_tsv. Instead of valid_source and valid_target."),
      data.text("valid_alignment", &DataConfig::valid_alignment, {},
                "True word alignments of the validation text, a line each, in Pharaoh format "
                "(\"0-0 1-2\": source word - target word; \"1p2\" for a link "
                "that is possible, not sure). The attention head that errs least against them is "
                "the one that decoding.alignment_head: auto takes; "
                "without them it is chosen by how often aligned words occur together."),
      data.list("valid_sets", &DataConfig::valid_sets, {},
                "Further validation texts, each NAME=SOURCE,TARGET or NAME=TSV. They are scored at "
                "each validation and told by their names; "
                "valid_source and valid_target alone decide which model is best and when "
                "early_stopping ends."),
  };
}

std::vector<Field> line_fields() {
  return {
      data.boolean("source_eos", &DataConfig::source_eos,
                   {Effect::shapes_model, Effect::fixed_in_run, Effect::batch_content},
                   "Whether source sentences end with the end-of-sentence token."),
      data.integer("max_length", &DataConfig::max_length, {2, 1048576},
                   {Effect::batch_content, Effect::score, Effect::loss_score},
                   "Longest side of a pair in tokens, its end mark included. long_lines says what "
                   "becomes of a longer pair; in translation, a longer "
                   "line is translated in parts."),
      data.integer("fixed_length", &DataConfig::fixed_length, {0, 1048576},
                   {Effect::batch_content, Effect::score, Effect::loss_score},
                   "Where above 0, every source and target of a training batch has this many "
                   "tokens, end mark included: shorter ones are padded, "
                   "longer ones cut, whatever long_lines says. 0: a batch is as long as its "
                   "longest sentence."),
      data.choice("long_lines", &DataConfig::long_lines,
                  {Effect::batch_content, Effect::loss_score},
                  "What becomes of a pair with a side over max_length. skip: left out and counted. "
                  "truncate: the side is cut to max_length. error: "
                  "the run stops."),
      data.choice("bad_lines", &DataConfig::bad_lines, {Effect::batch_content},
                  "What becomes of a line that is not valid UTF-8, of a pair with an empty side, "
                  "and of a TSV line with no tab or several. skip: left out "
                  "and counted. error: the run stops."),
  };
}

std::vector<Field> augmentation_fields() {
  return {
      data.boolean("bidirectional", &DataConfig::bidirectional, {},
                   "Whether every training pair is also learnt from target to source, in one "
                   "model: the pre-training of Bi-SimCut (Gao et al. 2022, "
                   "after Ding et al. 2021), to be followed by a run in one direction with "
                   "training.init_from. Needs a joint vocabulary. Validation "
                   "text stays as it is."),
      data.real("bpe_dropout", &DataConfig::bpe_dropout, {0, 0.95}, {Effect::batch_content},
                "Probability that a merge of BPE is left out when training text is encoded, which "
                "happens anew for every epoch, so that a word is met "
                "in many divisions (BPE-dropout, Provilkov et al. 2020; 0.1 there). Only for "
                "tokenizer.algorithm bpe. 0: always the same division."),
      data.real("unigram_alpha", &DataConfig::unigram_alpha, {0, 100}, {Effect::batch_content},
                "Where above 0, training text is encoded anew for every epoch by a division into "
                "subwords drawn with probability P^alpha, up to a "
                "constant: the smaller alpha, the more varied (subword regularization, Kudo 2018, "
                "section 3; 0.1 to 0.5 there). Only for "
                "tokenizer.algorithm unigram. 0: always the most probable division."),
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
