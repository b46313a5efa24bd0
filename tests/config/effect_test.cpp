#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tfm/config/fields.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAreArray;
using testing::IsEmpty;
using Keys = std::vector<std::string>;

Keys keys_with(Effect effect) {
  Keys keys;
  for (const Field& field : fields())
    if (field.effects.contains(effect)) keys.push_back(field.key());
  return keys;
}

/// The fields that define a model. Dropout, preset and initialisation are not among them.
const Keys shape_keys{"model.encoder_layers",
                      "model.decoder_layers",
                      "model.hidden_size",
                      "model.heads",
                      "model.head_size",
                      "model.transformer_ff",
                      "model.bias",
                      "model.norm_order",
                      "model.norm",
                      "model.norm_affine",
                      "model.norm_epsilon",
                      "model.final_norm",
                      "model.activation",
                      "model.positions",
                      "model.max_positions",
                      "model.first_position",
                      "model.embedding_scale",
                      "model.zero_start",
                      "model.cross_attention",
                      "model.tied_embeddings",
                      "model.tied_output_bias",
                      "tokenizer.kind",
                      "tokenizer.algorithm",
                      "tokenizer.joint",
                      "tokenizer.vocab_size",
                      "tokenizer.min_count",
                      "tokenizer.character_coverage",
                      "tokenizer.byte_fallback",
                      "tokenizer.split_digits",
                      "tokenizer.normalization",
                      "tokenizer.symbols",
                      "tokenizer.control_symbols",
                      "tokenizer.sample_pairs",
                      "tokenizer.source_vocab",
                      "tokenizer.target_vocab",
                      "tokenizer.pad_token",
                      "tokenizer.bos_token",
                      "tokenizer.eos_token",
                      "tokenizer.unk_token",
                      "data.source_eos",
                      "data.language_tags"};

const Keys decoding_keys{"decoding.beam_size",          "decoding.length_penalty",
                         "decoding.coverage_penalty",   "decoding.n_best",
                         "decoding.beam_groups",        "decoding.diversity_strength",
                         "decoding.max_length",         "decoding.max_length_factor",
                         "decoding.min_length",         "decoding.no_repeat_ngram_size",
                         "decoding.repetition_penalty", "decoding.sampling",
                         "decoding.sampling_topk",      "decoding.sampling_topp",
                         "decoding.temperature",        "decoding.seed",
                         "decoding.source_tag",         "decoding.source_language",
                         "decoding.target_language",    "decoding.target_prefix",
                         "decoding.forced_phrases",     "decoding.forbidden_phrases",
                         "decoding.ensemble_mean",      "decoding.stop_token",
                         "decoding.keep_markup",        "decoding.replace_unknown",
                         "decoding.unknown_dictionary", "decoding.alignment_head",
                         "decoding.batch_type",         "decoding.batch_size",
                         "decoding.split_sentences",    "decoding.shortlist",
                         "decoding.reproducible",       "decoding.precision"};

TEST(Effects, ContainsTheGivenEffects) {
  constexpr Effects both{Effect::score, Effect::pair_score};
  EXPECT_TRUE(both.contains(Effect::score));
  EXPECT_TRUE(both.contains(Effect::pair_score));
  EXPECT_FALSE(both.contains(Effect::loss_score));
  EXPECT_FALSE(Effects().contains(Effect::shapes_model));
}

TEST(FieldEffects, ModelAndVocabularyFieldsShapeTheModel) {
  EXPECT_THAT(keys_with(Effect::shapes_model), ElementsAreArray(shape_keys));
}

TEST(FieldEffects, ModelAndOptimizerAreFixedInARun) {
  Keys expected = shape_keys;
  expected.emplace_back("training.optimizer");
  EXPECT_THAT(keys_with(Effect::fixed_in_run), ElementsAreArray(expected));
}

TEST(FieldEffects, DataSeedAndBatchingFieldsChangeBatchContent) {
  EXPECT_THAT(keys_with(Effect::batch_content),
              ElementsAreArray({"data.stages", "data.tags", "data.weights", "data.alignments",
                                "data.temperature", "data.source_eos", "data.language_tags",
                                "data.max_length", "data.fixed_length", "data.long_lines",
                                "data.bad_lines", "data.bpe_dropout", "data.unigram_alpha",
                                "data.modifiers", "data.term_template", "training.seed",
                                "training.batch_type", "training.batch_size", "training.shuffle"}));
}

TEST(FieldEffects, LengthFieldsAndBestByChangeTheLossOrTheChoiceOfTheBestModel) {
  EXPECT_THAT(keys_with(Effect::loss_score),
              ElementsAreArray({"data.tags", "data.max_length", "data.fixed_length",
                                "data.long_lines", "training.best_by"}));
}

TEST(FieldEffects, LengthValidationAndMostDecodingFieldsChangeTheValidationScore) {
  const std::set<std::string> excluded{"decoding.batch_type", "decoding.batch_size",
                                       "decoding.shortlist", "decoding.n_best",
                                       "decoding.alignment_head"};
  Keys expected{"data.tags",         "data.max_length",
                "data.fixed_length", "training.valid_sentences",
                "training.best_by",  "training.bleu_tokenizer"};
  for (const std::string& key : decoding_keys)
    if (!excluded.contains(key)) expected.push_back(key);
  EXPECT_THAT(keys_with(Effect::score), ElementsAreArray(expected));
}

TEST(FieldEffects, AllDecodingFieldsChangeTheDecodingOutput) {
  EXPECT_THAT(keys_with(Effect::decoding_output), ElementsAreArray(decoding_keys));
}

TEST(FieldEffects, LengthEnsembleBatchAndPrecisionFieldsChangePairScores) {
  EXPECT_THAT(
      keys_with(Effect::pair_score),
      ElementsAreArray({"decoding.max_length", "decoding.source_tag", "decoding.source_language",
                        "decoding.target_language", "decoding.ensemble_mean", "decoding.batch_type",
                        "decoding.batch_size", "decoding.precision"}));
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Returns the sources and headers of all libraries except config.
std::vector<fs::path> other_sources() {
  const fs::path root = TFM_SOURCE_DIR;
  std::vector<fs::path> files;
  for (const fs::path& top : {root / "src", root / "include"}) {
    for (const auto& entry : fs::recursive_directory_iterator(top)) {
      const fs::path& file = entry.path();
      const bool is_source = file.extension() == ".cpp" || file.extension() == ".h";
      if (is_source && file.parent_path().filename() != "config") files.push_back(file);
    }
  }
  return files;
}

bool is_field_name(const std::string& text) {
  for (const Field& field : fields())
    if (text == field.key() || text == field.name || text == field.section) return true;
  return false;
}

/// Returns the places at which a source lists several names of fields, looks up a field by its
/// name, or compares a name with that of a field.
std::vector<std::string> fields_by_name(const std::string& source) {
  static const std::regex pair(R"re("([a-z_0-9.]+)",\s*(?="([a-z_0-9.]+)"))re");
  static const std::regex use(R"re((find_field\(|(section|name|key\(\)) [!=]= )"([a-z_0-9.]+)")re");
  std::vector<std::string> found;
  for (std::sregex_iterator it(source.begin(), source.end(), pair), end; it != end; ++it) {
    if (is_field_name((*it)[1]) && is_field_name((*it)[2])) found.push_back(it->str());
  }
  for (std::sregex_iterator it(source.begin(), source.end(), use), end; it != end; ++it)
    if (is_field_name((*it)[3])) found.push_back(it->str());
  return found;
}

TEST(FieldEffects, OtherLibrariesDoNotListFieldsByName) {
  EXPECT_THAT(fields_by_name(R"({"training.batch_type", "training.seed"})"), testing::SizeIs(1));
  EXPECT_THAT(fields_by_name(R"(field.section == "decoding")"), testing::SizeIs(1));
  EXPECT_THAT(fields_by_name(R"(ConfigError("training.seed", "is odd"))"), IsEmpty());
  EXPECT_THAT(fields_by_name(R"(find_field("training.seed"))"), testing::SizeIs(1));
  for (const fs::path& file : other_sources())
    EXPECT_THAT(fields_by_name(read_text(file)), IsEmpty()) << file;
}

}  // namespace
}  // namespace tfm
