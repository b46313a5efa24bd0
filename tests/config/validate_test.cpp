#include "tfm/config/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace tfm {
namespace {

struct Case {
  std::string name;
  std::function<void(Config&)> change;
  std::string keys;  // the keys of the broken rule, joined by ", "; empty if no rule is broken
};

class ConfigRules : public testing::TestWithParam<Case> {};

TEST(Violation, TextContainsKeysProblemAndHint) {
  EXPECT_EQ(to_text({{"a.b", "c.d"}, "they differ", "make them equal"}),
            "a.b, c.d: they differ; make them equal");
}

TEST_P(ConfigRules, ReportOnlyTheBrokenRule) {
  Config config;
  GetParam().change(config);
  const auto found = violations(config);
  if (GetParam().keys.empty()) {
    EXPECT_THAT(found, testing::IsEmpty());
  } else {
    ASSERT_EQ(found.size(), 1u);
    EXPECT_THAT(to_text(found.front()), testing::StartsWith(GetParam().keys + ": "));
    EXPECT_NE(found.front().what, "");
    EXPECT_NE(found.front().hint, "");
  }
}

TEST(Violations, SayHowToFitTheWarmupIntoTheCosine) {
  Config config;
  config.training.schedule = ScheduleKind::cosine;
  config.training.max_steps = 300;
  config.training.warmup_steps = 550;
  const auto found = violations(config);
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].what, "the cosine would end at step 300, before the end of the warmup");
  EXPECT_EQ(found[0].hint, "raise max_steps above 550, or lower warmup_steps below 300");
}

INSTANTIATE_TEST_SUITE_P(
    Model, ConfigRules,
    testing::Values(
        Case{"Defaults", [](Config&) {}, ""},  //
        Case{"HeadsDoNotDivide", [](Config& c) { c.model.heads = 7; },
             "model.hidden_size, model.heads"},
        Case{"HeadsWithHeadSize", [](Config& c) { c.model.heads = 7, c.model.head_size = 64; }, ""},
        Case{"OddSinusoidal", [](Config& c) { c.model.hidden_size = 63, c.model.heads = 7; },
             "model.hidden_size, model.positions"},
        Case{"OddLearned",
             [](Config& c) {
               c.model.hidden_size = 63, c.model.heads = 7, c.model.positions = Positions::learned;
             },
             ""},
        Case{"MaxLengthEqualsPositions",
             [](Config& c) { c.model.positions = Positions::learned, c.data.max_length = 1024; },
             ""},
        Case{"MaxLengthAbovePositions",
             [](Config& c) { c.model.positions = Positions::learned, c.data.max_length = 1025; },
             "data.max_length, model.max_positions"},
        Case{"SinusoidsHaveNoLimit", [](Config& c) { c.data.max_length = 5000; }, ""},
        Case{"TiedWithoutJoint",
             [](Config& c) {
               c.model.tied_embeddings = TiedEmbeddings::all, c.tokenizer.joint = false;
             },
             "model.tied_embeddings, tokenizer.joint"},
        Case{"LayerwiseWithUnequalDepths",
             [](Config& c) {
               c.model.cross_attention = CrossAttention::layerwise, c.model.decoder_layers = 5;
             },
             "model.cross_attention, model.encoder_layers, model.decoder_layers"},
        Case{"HalvesWithOneFrequency",
             [](Config& c) {
               c.model.positions = Positions::sinusoidal_halves, c.model.hidden_size = 2,
               c.model.heads = 1;
             },
             "model.hidden_size, model.positions"},
        Case{"RotaryWithOddHeadSize",
             [](Config& c) { c.model.positions = Positions::rotary, c.model.head_size = 7; },
             "model.head_size, model.positions"},
        Case{"DecoderTiedWithoutJoint",
             [](Config& c) {
               c.model.tied_embeddings = TiedEmbeddings::decoder, c.tokenizer.joint = false;
             },
             ""}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Tokenizer, ConfigRules,
    testing::Values(
        Case{"JointModelForBoth", [](Config& c) { c.tokenizer.source_vocab = "a.model"; }, ""},
        Case{"JointModelAsTarget", [](Config& c) { c.tokenizer.target_vocab = "a.model"; },
             "tokenizer.source_vocab, tokenizer.target_vocab"},
        Case{"OneOfTwoModels",
             [](Config& c) { c.tokenizer.joint = false, c.tokenizer.source_vocab = "a.model"; },
             "tokenizer.source_vocab, tokenizer.target_vocab"},
        Case{"JointWordListForBoth",
             [](Config& c) {
               c.tokenizer.kind = TokenizerKind::word, c.tokenizer.source_vocab = "a";
             },
             ""},
        Case{"TwoFilesForAJointVocabulary",
             [](Config& c) { c.tokenizer.source_vocab = "a", c.tokenizer.target_vocab = "b"; },
             "tokenizer.source_vocab, tokenizer.target_vocab, tokenizer.joint"},
        Case{"PiecesWithOneListAndTwoModels",
             [](Config& c) {
               c.tokenizer.kind = TokenizerKind::pieces, c.tokenizer.source_vocab = "a",
               c.tokenizer.target_vocab = "b";
             },
             ""},
        Case{"PiecesForOneSide",
             [](Config& c) {
               c.tokenizer.kind = TokenizerKind::pieces, c.tokenizer.source_vocab = "a";
             },
             "tokenizer.source_vocab, tokenizer.target_vocab"},
        Case{"TwoFilesForTwoSides",
             [](Config& c) {
               c.tokenizer.joint = false, c.tokenizer.source_vocab = "a",
               c.tokenizer.target_vocab = "b";
             },
             ""},
        Case{"SameTokenTwice", [](Config& c) { c.tokenizer.bos_token = "<pad>"; },
             "tokenizer.pad_token, tokenizer.bos_token"},
        Case{"TokenWithSpace", [](Config& c) { c.tokenizer.eos_token = "a b"; },
             "tokenizer.eos_token"},
        Case{"EmptyToken", [](Config& c) { c.tokenizer.unk_token = ""; }, "tokenizer.unk_token"},
        Case{"ClosedWordListWithoutUnknownToken",
             [](Config& c) { c.tokenizer.unk_token = "", c.tokenizer.kind = TokenizerKind::word; },
             ""}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Data, ConfigRules,
    testing::Values(
        Case{"SourceAlone", [](Config& c) { c.data.train_source = "a"; },
             "data.train_source, data.train_target"},
        Case{"TargetAlone", [](Config& c) { c.data.train_target = "a"; },
             "data.train_source, data.train_target"},
        Case{"Pair", [](Config& c) { c.data.train_source = "a", c.data.train_target = "b"; }, ""},
        Case{"Tsv", [](Config& c) { c.data.train_tsv = "a"; }, ""},
        Case{"PairAndTsv",
             [](Config& c) {
               c.data.train_source = "a", c.data.train_target = "b", c.data.train_tsv = "c";
             },
             "data.train_tsv, data.train_source, data.train_target"},
        Case{"ValidSourceAlone", [](Config& c) { c.data.valid_source = "a"; },
             "data.valid_source, data.valid_target"},
        Case{"ValidPairAndTsv",
             [](Config& c) {
               c.data.valid_source = "a", c.data.valid_target = "b", c.data.valid_tsv = "c";
             },
             "data.valid_tsv, data.valid_source, data.valid_target"},
        Case{"FixedLength", [](Config& c) { c.data.fixed_length = 30; }, ""},
        Case{"FixedLengthAboveMaxLength", [](Config& c) { c.data.fixed_length = 300; },
             "data.fixed_length, data.max_length"},
        Case{"FixedLengthOfOne", [](Config& c) { c.data.fixed_length = 1; },
             "data.fixed_length, data.max_length"},
        Case{"FurtherSets",
             [](Config& c) {
               c.data.valid_tsv = "a", c.data.valid_sets = {"b=b.de,b.en", "c=c.tsv"};
             },
             ""},
        Case{"FurtherSetsWithoutFirstSet", [](Config& c) { c.data.valid_sets = {"b=b.tsv"}; },
             "data.valid_sets, data.valid_source"},
        Case{"LanguageOfAVariant", [](Config& c) { c.data.source_language = "pt-BR"; }, ""},
        Case{"LanguageThatIsNotACode", [](Config& c) { c.data.target_language = "German"; },
             "data.target_language"},
        Case{"TrainingWithLanguageTags",
             [](Config& c) { c.data.train_tsv = "a", c.data.language_tags = LanguageTags::first; },
             "data.language_tags, data.train_source"},
        Case{"SetWithoutName",
             [](Config& c) { c.data.valid_tsv = "a", c.data.valid_sets = {"b.de,b.en"}; },
             "data.valid_sets"},
        Case{"SetWithThreeFiles",
             [](Config& c) { c.data.valid_tsv = "a", c.data.valid_sets = {"b=b,c,d"}; },
             "data.valid_sets"},
        Case{"TwoSetsWithTheSameName",
             [](Config& c) { c.data.valid_tsv = "a", c.data.valid_sets = {"b=b", "b=c"}; },
             "data.valid_sets"},
        Case{"AlignmentWithoutValidationSet", [](Config& c) { c.data.valid_alignment = "a"; },
             "data.valid_alignment, data.valid_source"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Training, ConfigRules,
    testing::Values(
        Case{"NoWarmup", [](Config& c) { c.training.warmup_steps = 0; },
             "training.warmup_steps, training.schedule"},
        Case{"ConstantNeedsNoWarmup",
             [](Config& c) {
               c.training.warmup_steps = 0, c.training.schedule = ScheduleKind::constant;
             },
             ""},
        Case{"CosineWithoutEnd",
             [](Config& c) {
               c.training.schedule = ScheduleKind::cosine, c.training.max_steps = 0,
               c.training.max_epochs = 3;
             },
             "training.decay_steps, training.max_steps, training.schedule"},
        Case{"CosineEndsInWarmup",
             [](Config& c) {
               c.training.schedule = ScheduleKind::cosine, c.training.decay_steps = 4000;
             },
             "training.decay_steps, training.warmup_steps, training.schedule"},
        Case{"RisingCosine",
             [](Config& c) {
               c.training.schedule = ScheduleKind::cosine, c.training.min_learning_rate = 1;
             },
             "training.min_learning_rate, training.learning_rate"},
        Case{"NoEnd", [](Config& c) { c.training.max_steps = 0; },
             "training.max_steps, training.max_epochs, training.max_minutes"},
        Case{"EndByEpochs", [](Config& c) { c.training.max_steps = 0, c.training.max_epochs = 1; },
             ""},
        Case{"AutoStepsWithoutMinutes",
             [](Config& c) { c.training.max_steps = TrainingConfig::automatic_steps; },
             "training.max_steps, training.max_minutes"},
        Case{"AutoStepsWithMinutes",
             [](Config& c) {
               c.training.max_steps = TrainingConfig::automatic_steps, c.training.max_minutes = 5;
             },
             ""},
        Case{"CosineWithAutoSteps",
             [](Config& c) {
               c.training.max_steps = TrainingConfig::automatic_steps, c.training.max_minutes = 5;
               c.training.schedule = ScheduleKind::cosine;
             },
             ""},
        Case{"EndByTime", [](Config& c) { c.training.max_steps = 0, c.training.max_minutes = 0.5; },
             ""},
        Case{"AverageOfMoreCheckpointsThanKept",
             [](Config& c) { c.training.average_checkpoints = 3; },
             "training.average_checkpoints, training.keep_checkpoints"},
        Case{"CosineToMaxStepsEndsInWarmup",
             [](Config& c) {
               c.training.schedule = ScheduleKind::cosine, c.training.max_steps = 4000;
             },
             "training.max_steps, training.warmup_steps, training.schedule"},
        Case{"EarlyStoppingWithoutValidation",
             [](Config& c) {
               c.training.early_stopping = 3, c.training.valid_steps = 0, c.data.valid_tsv = "a";
             },
             "training.early_stopping, training.valid_steps"},
        Case{"EarlyStoppingWithoutValidationSet", [](Config& c) { c.training.early_stopping = 3; },
             "training.early_stopping, data.valid_source"},
        Case{"UnknownDevice", [](Config& c) { c.training.device = "gpu"; }, "training.device"},
        Case{"SecondGpu", [](Config& c) { c.training.device = "cuda:1"; }, ""},
        Case{"MoreTranslationsThanTheBeam", [](Config& c) { c.decoding.n_best = 5; },
             "decoding.n_best, decoding.beam_size"},
        Case{"AlignmentHead", [](Config& c) { c.decoding.alignment_head = "3:7"; }, ""},
        Case{"AlignmentLayer", [](Config& c) { c.decoding.alignment_head = "3"; }, ""},
        Case{"MalformedAlignmentHead", [](Config& c) { c.decoding.alignment_head = "3:x"; },
             "decoding.alignment_head"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Decoding, ConfigRules,
    testing::Values(
        Case{"MoreSamplesThanTheBeam",
             [](Config& c) { c.decoding.sampling = true, c.decoding.n_best = 5; }, ""},
        Case{"TwoGroups", [](Config& c) { c.decoding.beam_groups = 2; }, ""},
        Case{"GroupsDoNotDivideTheBeam", [](Config& c) { c.decoding.beam_groups = 3; },
             "decoding.beam_groups, decoding.beam_size"},
        Case{"MinLengthAboveMaxLength", [](Config& c) { c.decoding.min_length = 257; },
             "decoding.min_length, decoding.max_length"},
        Case{"ShortlistWithReproducible",
             [](Config& c) {
               c.decoding.shortlist = "auto";
               c.decoding.reproducible = true;
             },
             "decoding.shortlist, decoding.reproducible"},
        Case{"DictionaryWithoutReplacement",
             [](Config& c) { c.decoding.unknown_dictionary = "names.tsv"; },
             "decoding.unknown_dictionary, decoding.replace_unknown"},
        Case{"TopKWithoutSampling", [](Config& c) { c.decoding.sampling_topk = 10; },
             "decoding.sampling_topk, decoding.sampling"},
        Case{"TopPWithoutSampling", [](Config& c) { c.decoding.sampling_topp = 0.9; },
             "decoding.sampling_topp, decoding.sampling"},
        Case{"TemperatureWithoutSampling", [](Config& c) { c.decoding.temperature = 0.5; },
             "decoding.temperature, decoding.sampling"},
        Case{"SamplingWithTopKTopPAndTemperature",
             [](Config& c) {
               c.decoding.sampling = true, c.decoding.sampling_topk = 10,
               c.decoding.sampling_topp = 0.9, c.decoding.temperature = 0.5;
             },
             ""},
        Case{"SamplingWithBeamGroups",
             [](Config& c) { c.decoding.sampling = true, c.decoding.beam_groups = 2; },
             "decoding.beam_groups, decoding.sampling"},
        Case{"SamplingWithCoveragePenalty",
             [](Config& c) { c.decoding.sampling = true, c.decoding.coverage_penalty = 0.2; },
             "decoding.coverage_penalty, decoding.sampling"},
        Case{"SamplingWithForcedPhrases",
             [](Config& c) { c.decoding.sampling = true, c.decoding.forced_phrases = {"a"}; },
             "decoding.forced_phrases, decoding.sampling"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Regularisers, ConfigRules,
    testing::Values(
        Case{"RDrop", [](Config& c) { c.training.r_drop = 5; }, ""},  //
        Case{"RDropAndSimCut", [](Config& c) { c.training.r_drop = 5, c.training.simcut = 3; },
             "training.r_drop, training.simcut"},
        Case{"RDropWithoutDropout", [](Config& c) { c.training.r_drop = 5, c.model.dropout = 0; },
             "training.r_drop, model.dropout"},
        Case{"RDropWithTokenDropout",
             [](Config& c) {
               c.training.r_drop = 5, c.model.dropout = 0, c.training.token_dropout = 0.1;
             },
             ""},
        Case{"SimCutWithoutCuts",
             [](Config& c) { c.training.simcut = 3, c.training.simcut_probability = 0; },
             "training.simcut, training.simcut_probability"},
        Case{"EmaAndCheckpointAverage",
             [](Config& c) { c.training.ema_decay = 0.9, c.training.average_checkpoints = 2; },
             "training.ema_decay, training.average_checkpoints"},
        Case{"BpeDropout", [](Config& c) { c.data.bpe_dropout = 0.1; }, ""},
        Case{"BpeDropoutWithUnigram",
             [](Config& c) {
               c.data.bpe_dropout = 0.1, c.tokenizer.algorithm = SubwordAlgorithm::unigram;
             },
             "data.bpe_dropout, tokenizer.kind, tokenizer.algorithm"},
        Case{"BpeDropoutWithWords",
             [](Config& c) { c.data.bpe_dropout = 0.1, c.tokenizer.kind = TokenizerKind::word; },
             "data.bpe_dropout, tokenizer.kind, tokenizer.algorithm"},
        Case{"BpeDropoutWithPieces",
             [](Config& c) { c.data.bpe_dropout = 0.1, c.tokenizer.kind = TokenizerKind::pieces; },
             "data.bpe_dropout, tokenizer.kind"},
        Case{"UnigramSampling",
             [](Config& c) {
               c.data.unigram_alpha = 0.2, c.tokenizer.algorithm = SubwordAlgorithm::unigram;
             },
             ""},
        Case{"UnigramSamplingWithBpe", [](Config& c) { c.data.unigram_alpha = 0.2; },
             "data.unigram_alpha, tokenizer.kind, tokenizer.algorithm"},
        Case{"BothDirections", [](Config& c) { c.data.bidirectional = true; }, ""},
        Case{"BothDirectionsWithTwoVocabularies",
             [](Config& c) { c.data.bidirectional = true, c.tokenizer.joint = false; },
             "data.bidirectional, tokenizer.joint"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tfm
