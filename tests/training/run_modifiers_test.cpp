// Runs with modified text: they resume exactly, and sets in memory are those of shards.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "captured_log.h"
#include "run_fixture.h"
#include "tfm/training/prepare_data.h"

namespace tfm {
namespace {

class RunWithModifiers : public Run {
 protected:
  RunWithModifiers() {
    const auto pairs = [this](const char* name, std::size_t lines) {
      const auto text = folder.write(std::string(name) + ".src", made_up_text('a', lines));
      return fmt::format(
          "{0}={1},{2}", name, text.string(),
          folder.write(std::string(name) + ".tgt", made_up_text('m', lines)).string());
    };
    config.data.train_source = config.data.train_target = "";
    config.data.sets = {pairs("one", 40), pairs("two", 25)};
    config.data.stages = {"one 2, two 1 until two 1", "two 1, one 1"};
    config.model.dropout = 0.2;
    config.training.max_steps = 24;
    config.training.save_steps = 4;
  }

  /// Trains in one session, and in two that end at step `first`.
  void expect_exact_resume(std::int64_t first) {
    go();
    const auto whole = last_weights();
    reset();
    const auto steps = std::exchange(config.training.max_steps, first);
    go();
    config.training.max_steps = steps;
    const CapturedLog log;
    go(/*resume=*/true);
    EXPECT_THAT(log.text(), testing::Not(testing::HasSubstr("its batches changed")));
    expect_equal(last_weights(), whole);
  }
};

TEST_F(RunWithModifiers, ResumesExactly) {
  config.data.modifiers = {"merge=0.4", "typos=0.3", "copy=0.2"};
  for (const int first : {4, 8, 12}) {
    reset();
    expect_exact_resume(first);
  }
}

TEST_F(RunWithModifiers, LearnsOtherWeightsThanWithoutThem) {
  go();
  const auto plain = last_weights();
  reset();
  config.data.modifiers = {"merge=0.4"};
  go();
  bool differs = false;
  for (const auto& [name, tensor] : last_weights()) differs |= !tensor.equal(plain.at(name));
  EXPECT_TRUE(differs);
}

TEST_F(RunWithModifiers, BeginsANewEpochIfTheyChange) {
  config.data.modifiers = {"merge=0.4"};
  config.training.max_steps = 8;
  go();
  config.training.max_steps = 12;
  config.data.modifiers = {"merge=0.5"};
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), testing::HasSubstr("the training data or its batches changed"));
}

/// Links the first words of each pair of the set one.
class RunWithTerms : public RunWithModifiers {
 protected:
  RunWithTerms() {
    link("0-0");
    config.data.modifiers = {"merge=0.4", "typos=0.3", "terms=0.6", "random_terms=0.2",
                             "inline_noise=0.2"};
    config.tokenizer.kind = TokenizerKind::sentencepiece;
    config.tokenizer.joint = true;
    config.tokenizer.vocab_size = 300;
    config.tokenizer.byte_fallback = true;
  }

  /// Trains on the set one only, which is not a set then.
  void use_one_text() {
    config.data.train_source = folder.path("one.src");
    config.data.train_target = folder.path("one.tgt");
    config.data.sets.clear();
    config.data.stages.clear();
    config.data.alignments.front().replace(0, 3, "train");
  }

  void link(const char* last) {
    std::string lines;
    for (int i = 0; i < 39; ++i) lines += "0-0\n";
    config.data.alignments = {"one=" + folder.write("one.align", lines + last + "\n").string()};
  }
};

TEST_F(RunWithTerms, ResumesExactly) {
  for (const int first : {4, 12}) {
    reset();
    expect_exact_resume(first);
  }
}

TEST_F(RunWithTerms, BeginsANewEpochIfALinkChanges) {
  config.training.max_steps = 8;
  go();
  config.training.max_steps = 12;
  link("");
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), testing::HasSubstr("the training data or its batches changed"));
}

TEST_F(RunWithTerms, RejectsLinksOfAnotherTextBeforeTheVocabularyIsLearned) {
  link("0-99");
  const CapturedLog log;
  EXPECT_THROW(go(), DataError);
  EXPECT_THAT(log.text(), testing::Not(testing::HasSubstr("learning the vocabulary")));
}

TEST_F(RunWithTerms, TrainsInBothDirections) {
  use_one_text();
  config.data.bidirectional = true;
  expect_exact_resume(8);
}

/// Each run has a session from memory and one from shards, and learns what a run learns that has
/// only one of them.
TEST_F(RunWithTerms, ContinueFromShardsWhatBeganInMemoryAndTheOtherWayRound) {
  config.data.weights = {"two=0.5"};
  const auto in_shards = folder.path("cache").string();
  std::optional<StateDict> expected;
  for (const bool first_from_shards : {false, true}) {
    reset();
    config.data.cache = first_from_shards ? in_shards : "none";
    go();
    if (expected) expect_equal(last_weights(), *expected);
    expected = last_weights();
    reset();
    config.training.max_steps = 12;
    go();
    config.training.max_steps = 24;
    config.data.cache = first_from_shards ? "none" : in_shards;
    const CapturedLog log;
    go(/*resume=*/true);
    EXPECT_THAT(log.text(), testing::Not(testing::HasSubstr("its batches changed")))
        << "the fingerprints are the same";
    expect_equal(last_weights(), *expected);
  }
}

TEST_F(RunWithTerms, TrainsInBothDirectionsFromShardsAsFromMemory) {
  use_one_text();
  config.data.bidirectional = true;
  config.data.cache = "none";
  go();
  const auto expected = last_weights();
  config.data.cache = folder.path("cache");
  config.training.max_steps = 26;
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), testing::Not(testing::HasSubstr("its batches changed")));
  config.training.max_steps = 24;
  reset();
  go();
  expect_equal(last_weights(), expected);
}

TEST_F(RunWithTerms, FindWhatWasPreparedAhead) {
  config.data.cache = folder.path("cache");
  const auto hour_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  for (const char* file : {"one.src", "one.tgt", "two.src", "two.tgt", "one.align"})
    std::filesystem::last_write_time(folder.path(file), hour_ago);
  EXPECT_EQ(prepare_data(config).pairs, 65);
  {
    const CapturedLog log;
    go();
    EXPECT_THAT(log.text(),
                testing::AllOf(testing::Not(testing::HasSubstr("preparing the training data")),
                               testing::HasSubstr("the vocabulary is that of")));
  }
  reset();
  config.data.term_template = "<a> {src} <b> {trg} <c>";
  go();  // a vocabulary without these symbols would be an error
}

TEST_F(RunWithModifiers, SetsInMemoryTrainAsSetsInShards) {
  config.data.cache = folder.path("cache");
  go();
  const auto from_shards = last_weights();
  reset();
  config.data.cache = "none";
  go();
  expect_equal(last_weights(), from_shards);
  config.data.cache = folder.path("cache");
  config.training.max_steps = 26;
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), testing::Not(testing::HasSubstr("its batches changed")))
      << "the fingerprints are the same";
}

}  // namespace
}  // namespace tfm
