#include "tokenizer/trainer_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sentencepiece_trainer.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "text/sample_text.h"
#include "tfm/core/forked_work.h"

namespace tfm {
namespace {

using testing::Contains;

/// Returns the log of SentencePiece's trainer itself, for a vocabulary of 60 tokens.
std::vector<std::string> real_log(const std::string& algorithm) {
  std::vector<std::string> lines;
  const auto train = [&] {
    std::string model;
    const auto status = sentencepiece::SentencePieceTrainer::Train({{"model_type", algorithm},
                                                                    {"vocab_size", "60"},
                                                                    {"num_threads", "1"},
                                                                    {"minloglevel", "0"}},
                                                                   sample_text(1), &model);
    return status.ToString();
  };
  const auto result =
      run_forked({.work = train,
                  .on_line = [&](std::string_view line) { lines.emplace_back(line); },
                  .on_tick = [] {}},
                 "the test");
  EXPECT_EQ(result.text, "OK") << result.error.value_or("");
  return lines;
}

TEST(TrainerLog, FollowsTheLogOfTheLinkedSentencePiece) {
  for (const std::string algorithm : {"bpe", "unigram"}) {
    TrainerLog log(60);
    std::set<std::string> parts;
    double share = 0;
    for (const std::string& line : real_log(algorithm)) {
      log.read(line);
      parts.emplace(log.part());
      EXPECT_GE(log.share().value_or(0), share) << line;
      share = log.share().value_or(0);
    }
    EXPECT_THAT(parts, Contains("reading the text")) << algorithm;
    EXPECT_THAT(parts, Contains("normalising the text")) << algorithm;
    EXPECT_THAT(parts, Contains("counting the words")) << algorithm;
    EXPECT_GT(log.count(), 0) << algorithm;
    EXPECT_GT(share, 0.5) << algorithm;
    EXPECT_EQ(log.part(), "") << algorithm;
  }
}

TEST(TrainerLog, ShareOfBpeIsThatOfTheSubwordsToLearn) {
  TrainerLog log(1000);
  for (int i = 0; i < 4; ++i)
    log.read("trainer_interface.cc(427) LOG(INFO) Adding meta_piece: <pad>");
  log.read("trainer_interface.cc(562) LOG(INFO) Alphabet size=96");
  log.read("bpe_model_trainer.cc(268) LOG(INFO) Added: freq=9 size=450 all=7 active=5 piece=ab");
  EXPECT_EQ(log.count(), 450);
  EXPECT_DOUBLE_EQ(log.share().value(), 0.5);
}

TEST(TrainerLog, ShareOfUnigramIsThatOfItsIterations) {
  TrainerLog log(1000);
  log.read("unigram_model_trainer.cc(312) LOG(INFO) Initialized 1955 seed sentencepieces");
  // 1955 * 0.75^2 = 1100: two prunings, and two iterations before and after each
  for (int i = 1; i <= 6; ++i) {
    log.read("unigram_model_trainer.cc(618) LOG(INFO) EM sub_iter=0 size=1900 obj=9.1");
    EXPECT_EQ(log.count(), i);
    EXPECT_DOUBLE_EQ(log.share().value(), i / 6.0);
  }
}

TEST(TrainerLog, IgnoresOtherLines) {
  TrainerLog log(1000);
  for (const char* line : {"", "Added: freq=9 size=450", "LOG(INFO) ", "LOG(INFO) Added: freq=9",
                           "x.cc(1) LOG(INFO) Added: freq=9 size=", "LOG(INFO) EM sub_iter="})
    log.read(line);
  EXPECT_EQ(log.part(), "reading the text");
  EXPECT_EQ(log.count(), 0);
  EXPECT_FALSE(log.share());
}

}  // namespace
}  // namespace tfm
