#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <functional>

#include "captured_log.h"
#include "clean_pairs.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/corpus/cleaning.h"

namespace tfm {
namespace {

/// Says how well pairs fit by the first letters of their sources: 0.1 for a, 0.2 for b and so on.
/// It cannot measure other texts.
class LetterScorer : public PairScorer {
 public:
  std::vector<PairScores> score(std::span<const CorpusPair* const> pairs,
                                const std::function<void(double)>& on_share) override {
    std::vector<PairScores> scores(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const char letter = pairs[i]->source.front();
      if (letter >= 'a' && letter <= 'i') scores[i].score = (letter - 'a' + 1) / 10.0;
      seen.push_back(pairs[i]->line);
    }
    on_share(0.5);
    return scores;
  }

  std::vector<std::int64_t> seen;  // lines
};

/// Cleans with min_score 0.25 and the rules about duplicate pairs and empty sides.
Cleaned clean_by_scores(std::vector<CorpusPair> pairs, LetterScorer& scorer,
                        std::size_t memory = std::size_t{1} << 30,
                        std::function<void(const CleaningProgress&)> on_progress = {}) {
  RuleValues values(rules().size());
  for (const auto& [name, value] :
       {std::pair{"min_score", "0.25"}, {"duplicate_pairs", "on"}, {"empty", "on"}}) {
    const auto rule = std::ranges::find(rules(), std::string(name), &Rule::name) - rules().begin();
    EXPECT_EQ(set_rule(values, static_cast<std::size_t>(rule), value), "");
  }
  const TemporaryFolder folder;
  VectorSource source(std::move(pairs));
  RecordingSink sink;
  const CapturedLog log;
  auto counts = clean_pairs(source, {values, {}}, sink,
                            {.threads = 1,
                             .memory = memory,
                             .scratch = folder.path("clean"),
                             .on_progress = std::move(on_progress),
                             .scorer = &scorer});
  return {std::move(sink.found), std::move(counts)};
}

TEST(CleanPairsByScores, AppliesRulesOfModelsToPairsThatPassTheOthers) {
  LetterScorer scorer;
  const auto cleaned = clean_by_scores({{"c", "x", 1, false},
                                        {"", "x", 2, false},
                                        {"a", "x", 3, false},
                                        {"c", "x", 4, false},
                                        {"a", "x", 5, false},
                                        {"?", "x", 6, false}},
                                       scorer);
  EXPECT_THAT(cleaned.found,
              testing::ElementsAre("1:c|x", "empty 2:|x", "min_score 3:a|x",
                                   "duplicate_pairs 4:c|x", "min_score 5:a|x", "6:?|x"));
  EXPECT_THAT(scorer.seen, testing::ElementsAre(1, 3, 4, 5, 6));
  EXPECT_EQ(cleaned.counts.unscored, 1);
  for (const auto& examples : cleaned.counts.examples)
    for (const CorpusPair& pair : examples)
      EXPECT_EQ(pair.score, pair.source == "a" ? std::optional(0.1) : std::nullopt);
}

TEST(CleanPairsByScores, KeepsScoresOfPairsThatWereOnDisk) {
  std::vector<CorpusPair> pairs;
  for (std::int64_t i = 0; i < 20'000; ++i)
    pairs.push_back(
        {fmt::format("{}{}", "cabcd"[i < 19'000 ? 0 : 1 + i % 4], i), "x", i + 1, false});
  LetterScorer first;
  LetterScorer second;
  const auto expected = clean_by_scores(pairs, first);
  const auto cleaned = clean_by_scores(pairs, second, 1);
  EXPECT_TRUE(cleaned.counts.used_disk);
  EXPECT_EQ(cleaned.found, expected.found);
  std::vector<std::optional<double>> scores;
  for (const auto& examples : cleaned.counts.examples)
    for (const CorpusPair& pair : examples) scores.push_back(pair.score);
  EXPECT_THAT(scores, testing::SizeIs(10));
  EXPECT_THAT(scores, testing::Each(testing::AnyOf(0.1, 0.2)));
}

TEST(CleanPairsByScores, ReportsTheShareOfTheChunkThatAModelHasScored) {
  LetterScorer scorer;  // reports half of a chunk
  std::vector<std::pair<std::int64_t, double>> reports;
  clean_by_scores({{"c", "x", 1, false}, {"d", "x", 2, false}}, scorer, std::size_t{1} << 30,
                  [&](const auto& now) { reports.emplace_back(now.pairs, now.share.value()); });
  EXPECT_EQ(reports, (std::vector<std::pair<std::int64_t, double>>{{1, 0.5}, {2, 1.0}}));
}

TEST(CleanPairsByScores, EndsAtASignalWhileAModelScores) {
  class Interrupting : public LetterScorer {
   public:
    std::vector<PairScores> score(std::span<const CorpusPair* const> pairs,
                                  const std::function<void(double)>& on_share) override {
      ::raise(SIGINT);
      return LetterScorer::score(pairs, on_share);
    }
  };
  install_signal_handlers();
  Interrupting scorer;
  EXPECT_THROW(clean_by_scores({{"c", "x", 1, false}}, scorer), Interrupted);
  clear_interrupt();
}

}  // namespace
}  // namespace tfm
