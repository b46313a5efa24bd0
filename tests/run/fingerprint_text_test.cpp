#include "tfm/run/fingerprint_text.h"

#include <gtest/gtest.h>

#include "tfm/config/fields.h"

namespace tfm {
namespace {

// The tests require exact texts, because existing runs have saved checksums of them.

TEST(BatchContentText, KeepsTheFormatThatSavedFingerprintsUse) {
  Config config;
  EXPECT_EQ(batch_content_text(config), "tokens\n4096\ntrue\n1\ntrue\n256\n0\nskip\nskip\n");
  config.training.batch_type = BatchType::sentences;
  config.training.batch_size = 7;
  config.training.shuffle = false;
  config.training.seed = 3;
  config.data.source_eos = false;
  config.data.max_length = 50;
  config.data.fixed_length = 40;
  config.data.long_lines = LongLines::truncate;
  config.data.bad_lines = BadLines::error;
  EXPECT_EQ(batch_content_text(config), "sentences\n7\nfalse\n3\nfalse\n50\n40\ntruncate\nerror\n");
}

TEST(BatchContentText, ContainsSubwordSamplingOnlyIfItIsOn) {
  Config config;
  const std::string before = batch_content_text(config);
  config.data.bpe_dropout = 0.1;
  EXPECT_EQ(batch_content_text(config), before + "subword sampling 0.100000\n");
  config.data.bpe_dropout = 0;
  config.data.unigram_alpha = 0.25;
  EXPECT_EQ(batch_content_text(config), before + "subword sampling 0.250000\n");
}

TEST(BatchContentText, ContainsModifiersOnlyIfThereAreSome) {
  Config config;
  const std::string before = batch_content_text(config);
  config.data.modifiers = {"typos=0.1", "merge=0.01"};
  EXPECT_EQ(batch_content_text(config), before + "data.modifiers typos=0.1; merge=0.01\n");
  config.data.modifiers.clear();
  config.data.alignments = {"train=a.align"};
  EXPECT_EQ(batch_content_text(config), before + "data.alignments train=a.align\n");
  config.data.alignments.clear();
  config.data.term_template = "<t> {trg}";
  EXPECT_EQ(batch_content_text(config), before + "data.term_template <t> {trg}\n");
}

TEST(BatchContentText, ChangesOnlyWithFieldsThatAffectBatchContent) {
  const Config defaults;
  for (const Field& field : fields()) {
    Config config;
    // Sets the first value that the field accepts and that is not its default.
    for (const char* value : {"true", "false", "3", "0.5", "sentences", "error", "x"}) {
      if (!field.set(config, value) && field.get(config) != field.get(defaults)) break;
    }
    if (field.get(config) == field.get(defaults)) continue;  // none of the values is allowed
    EXPECT_EQ(batch_content_text(config) != batch_content_text(defaults),
              field.effects.contains(Effect::batch_content))
        << field.key();
  }
}

TEST(MetricText, ListsDecodingAndLengthFieldsOnlyIfTheyDifferFromTheirDefaults) {
  Config config;
  EXPECT_EQ(metric_text(config), "bleu\n0");
  config.training.valid_sentences = 100;
  config.decoding.beam_size = 1;
  config.data.max_length = 50;
  EXPECT_EQ(metric_text(config), "bleu\n100\ndata.max_length 50\ndecoding.beam_size 1");
}

/// Earlier versions always computed BLEU with the tokenizer 13a.
TEST(MetricText, OmitsTheBleuTokenizerIfItIs13aOrBestByIsNotBleu) {
  Config config;
  config.training.bleu_tokenizer = BleuTokenizer::mteval_13a;
  EXPECT_EQ(metric_text(config), "bleu\n0");
  config.training.bleu_tokenizer = BleuTokenizer::character;
  EXPECT_EQ(metric_text(config), "bleu\n0\ntraining.bleu_tokenizer char");
  config.training.best_by = BestBy::chrf;
  EXPECT_EQ(metric_text(config), "chrf\n0");
  config.training.best_by = BestBy::loss;
  EXPECT_EQ(metric_text(config), "loss\n0");
}

TEST(MetricText, OmitsFieldsThatAValidationIgnores) {
  Config config;
  config.decoding.batch_type = BatchType::sentences;
  config.decoding.batch_size = 1;
  config.decoding.shortlist = "auto";
  config.decoding.n_best = 2;
  config.decoding.alignment_head = "mean";
  config.data.long_lines = LongLines::error;
  EXPECT_EQ(metric_text(config), "bleu\n0");
}

/// The loss is always computed on all validation lines. The text nevertheless contains the default
/// of valid_sentences, because earlier versions wrote this field.
TEST(MetricText, IgnoresTheNumberOfTranslatedSentencesIfBestByIsLoss) {
  Config config;
  config.training.best_by = BestBy::loss;
  config.training.valid_sentences = 100;
  EXPECT_EQ(metric_text(config), "loss\n0");
}

TEST(MetricText, ContainsLengthLimitsButNoDecodingFieldsIfBestByIsLoss) {
  Config config;
  config.training.best_by = BestBy::loss;
  config.decoding.beam_size = 1;
  config.data.fixed_length = 20;
  config.data.long_lines = LongLines::truncate;
  EXPECT_EQ(metric_text(config), "loss\n0\ndata.fixed_length 20\ndata.long_lines truncate");
}

}  // namespace
}  // namespace tfm
