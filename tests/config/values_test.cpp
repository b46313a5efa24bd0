// Tests that parse_config reads the output of write_config back as the same config. The tests use
// texts that are hard to quote, and random values of every field.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/config/presets.h"
#include "tfm/config/validate.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

const std::vector<std::string> awkward_text = {"",           "plain",       "a: b",
                                               "# c",        "a #b",        " leading",
                                               "trailing ",  "<pad>",       "Häuser/日本.txt",
                                               "'single'",   "\"double\"",  "null",
                                               "~",          "true",        "007",
                                               "- item",     "back\\slash", "tab\there",
                                               "two\nlines", "{a: 1}",      "*alias",
                                               "&anchor",    "%tag",        "@at",
                                               "`tick`",     "?",           "!bang",
                                               "|",          ">",           "---",
                                               "😀",         "a\u2028b",    "{{ x }}"};

std::string random_value(const Field& field, std::mt19937_64& random) {
  const auto pick = [&](std::size_t size) {
    return std::uniform_int_distribution<std::size_t>(0, size - 1)(random);
  };
  switch (field.type) {
    case FieldType::integer: {
      const auto low = static_cast<std::int64_t>(field.range.low);
      const auto high =
          static_cast<std::int64_t>(std::min(field.range.high, field.range.low + 1e6));
      return std::to_string(std::uniform_int_distribution<std::int64_t>(low, high)(random));
    }
    case FieldType::real: {
      Config config;
      const double high = std::min(field.range.high, 1e6);
      // The value is stored in another field, which formats it with all digits.
      config.training.clip_norm =
          std::uniform_real_distribution<double>(std::max(0.0, field.range.low), high)(random);
      return find_field("training.clip_norm")->get(config);
    }
    case FieldType::boolean:
      return pick(2) == 0 ? "true" : "false";
    case FieldType::choice:
      return field.choices[pick(field.choices.size())];
    case FieldType::list:
      return pick(2) == 0 ? "" : "a=x y.de,z.en; b=#: \"ü\".tsv";
    case FieldType::text:
      return awkward_text[pick(awkward_text.size())];
  }
  return "";
}

void satisfy_decoding_rules(DecodingConfig& decoding) {
  if (!decoding.replace_unknown) decoding.unknown_dictionary.clear();
  if (decoding.reproducible) decoding.shortlist = "none";
  decoding.n_best = std::min(decoding.n_best, decoding.beam_size);
  decoding.min_length = std::min(decoding.min_length, decoding.max_length);
  decoding.beam_groups = 1;
  decoding.sampling = decoding.sampling || decoding.sampling_topk > 0 ||
                      decoding.sampling_topp < 1 || decoding.temperature != 1;
  if (!decoding.sampling) return;
  decoding.coverage_penalty = 0;
  decoding.forced_phrases.clear();
}

// Changes a random config so that it satisfies the rules of validate.h.
void satisfy_rules(Config& config) {
  config.model.head_size = std::max<int64_t>(config.model.head_size, 1);
  config.model.hidden_size += config.model.hidden_size % 2;
  config.model.max_positions = std::max(config.model.max_positions, config.data.max_length);
  config.model.decoder_layers = config.model.encoder_layers;
  if (config.model.head_size % 2 != 0) ++config.model.head_size;
  if (config.model.positions != Positions::sinusoidal) config.model.first_position = 0;
  config.tokenizer.joint =
      config.tokenizer.joint || config.model.tied_embeddings == TiedEmbeddings::all;
  config.tokenizer.target_vocab = config.tokenizer.source_vocab;
  config.tokenizer.pad_token = "#";
  config.tokenizer.bos_token = "ü:";
  config.tokenizer.eos_token = "'";
  config.tokenizer.unk_token = "null";
  config.data.train_target = config.data.train_source;
  config.data.valid_target = config.data.valid_source;
  if (config.data.valid_source.empty() && config.data.valid_tsv.empty())
    config.data.valid_sets.clear();
  if (!config.data.train_source.empty()) config.data.train_tsv.clear();
  config.data.sets.clear();  // a set has a form of its own, and so have stages, tags and modifiers
  config.data.stages.clear();
  config.data.tags.clear();
  config.data.weights.clear();
  config.data.alignments.clear();
  config.data.temperature = 1;
  config.data.modifiers.clear();
  config.data.term_template = "<t> {trg}";
  config.data.language_tags = LanguageTags::none;  // not for models that are trained
  config.tokenizer.symbols.clear();
  config.tokenizer.control_symbols.clear();
  config.tokenizer.normalization = "nfkc";
  if (!config.data.valid_source.empty()) config.data.valid_tsv.clear();
  config.data.source_language = "no";  // YAML 1.1 reads it as a boolean
  config.data.target_language = "pt-BR";
  config.training.device = "cuda:1";
  config.training.warmup_steps += 1;
  config.training.max_steps += 1;
  config.training.decay_steps += config.training.warmup_steps + 1;
  config.training.valid_steps += 1;
  if (config.data.valid_source.empty() && config.data.valid_tsv.empty())
    config.training.early_stopping = 0;
  config.training.min_learning_rate =
      std::min(config.training.min_learning_rate, config.training.learning_rate);
  config.training.average_checkpoints = 0;  // not allowed together with ema_decay
  config.training.simcut = 0;               // not allowed together with r_drop
  config.data.bidirectional = config.data.bidirectional && config.tokenizer.joint;
  config.data.bpe_dropout = 0;  // bpe_dropout and unigram_alpha require certain tokenizers
  config.data.unigram_alpha = 0;
  config.data.fixed_length = config.data.fixed_length == 1
                                 ? 0
                                 : std::min(config.data.fixed_length, config.data.max_length);
  if (config.data.valid_source.empty() && config.data.valid_tsv.empty())
    config.data.valid_alignment.clear();
  config.decoding.alignment_head = "7:3";
  satisfy_decoding_rules(config.decoding);
}

TEST(FirstPosition, NeedsATableOfPositions) {
  const std::string first = "model: {first_position: 2, positions: ";
  EXPECT_EQ(parse_config(first + "sinusoidal_halves}", "written").model.first_position, 2);
  EXPECT_THROW(parse_config(first + "learned}", "written"), ConfigError);
}

TEST(WriteConfig, RoundTripKeepsDefaults) {
  EXPECT_EQ(parse_config(write_config(Config()), "written"), Config());
}

TEST(WriteConfig, RoundTripKeepsAwkwardText) {
  for (const std::string& text : awkward_text) {
    Config config;
    config.training.run_folder = text;
    const std::string yaml = write_config(config);
    EXPECT_EQ(parse_config(yaml, "written").training.run_folder, text) << yaml;
  }
}

TEST(WriteConfig, RoundTripKeepsChangesToAPreset) {
  for (const Preset preset : {Preset::tiny, Preset::base, Preset::big}) {
    Config config;
    config.model.preset = preset;
    apply_preset(preset, config.model);
    config.model.heads = 2;
    EXPECT_EQ(parse_config(write_config(config), "written"), config);
  }
}

TEST(WriteConfig, RoundTripKeepsRandomConfigs) {
  std::mt19937_64 random(20);
  for (int round = 0; round < 200; ++round) {
    Config config;
    for (const Field& field : fields()) {
      const std::string value = random_value(field, random);
      ASSERT_EQ(field.set(config, value), std::nullopt) << field.key() << " = " << value;
    }
    satisfy_rules(config);
    ASSERT_TRUE(violations(config).empty());
    const std::string yaml = write_config(config);
    ASSERT_EQ(parse_config(yaml, "written"), config) << yaml;
  }
}

// Without quotes, other YAML readers would read such text as a boolean or a number.
TEST(WriteConfig, QuotesTextThatLooksLikeAnotherType) {
  Config config;
  config.training.run_folder = "true";
  config.data.train_tsv = "007";
  const std::string yaml = write_config(config);
  EXPECT_NE(yaml.find("run_folder: \"true\"\n"), std::string::npos) << yaml;
  EXPECT_NE(yaml.find("train_tsv: \"007\"\n"), std::string::npos) << yaml;
}

TEST(WriteConfig, WritesEveryField) {
  const std::string yaml = write_config(Config());
  for (const Field& field : fields())
    EXPECT_NE(yaml.find("  " + field.name + ": "), std::string::npos) << field.key();
}

}  // namespace
}  // namespace tfm
