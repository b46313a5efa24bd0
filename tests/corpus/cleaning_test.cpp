#include "tfm/corpus/cleaning.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <functional>

#include "captured_log.h"
#include "property.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class VectorSource : public PairSource {
 public:
  explicit VectorSource(std::vector<CorpusPair> pairs) : pairs_(std::move(pairs)) {}
  bool next(CorpusPair& pair) override {
    if (at_ == pairs_.size()) return false;
    pair = pairs_[at_++];
    return true;
  }
  std::optional<double> share_read() const override {
    return static_cast<double>(at_) / static_cast<double>(pairs_.size());
  }

 private:
  std::vector<CorpusPair> pairs_;
  std::size_t at_ = 0;
};

/// Records "line:source|target", with the rule before dropped pairs.
class RecordingSink : public PairSink {
 public:
  void keep(const CorpusPair& pair) override { add("", pair); }
  void drop(const CorpusPair& pair, std::size_t rule) override {
    add(std::string(rules()[rule].name) + " ", pair);
  }
  std::vector<std::string> found;

 private:
  void add(const std::string& verdict, const CorpusPair& pair) {
    found.push_back(verdict + std::to_string(pair.line) + ":" + pair.source + "|" + pair.target);
  }
};

RuleSet all_rules() {
  RuleValues values = default_rule_values();
  for (std::size_t i = 0; i < rules().size(); ++i) {
    if (rules()[i].key != nullptr) {
      EXPECT_EQ(set_rule(values, i, "on"), "");
    }
  }
  return {values, {language_from_code("de"), language_from_code("en")}};
}

struct Cleaned {
  std::vector<std::string> found;
  CleaningCounts counts;
};

Cleaned clean(std::vector<CorpusPair> pairs, std::int64_t threads = 1,
              std::size_t memory = std::size_t{1} << 30) {
  const TemporaryFolder folder;
  VectorSource source(std::move(pairs));
  RecordingSink sink;
  const CapturedLog log;
  auto counts = clean_pairs(
      source, all_rules(), sink,
      {.threads = threads, .memory = memory, .scratch = folder.path("clean"), .on_progress = {}});
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  return {std::move(sink.found), std::move(counts)};
}

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

TEST(CleanPairs, AppliesRulesOfModelsToPairsThatPassTheOthers) {
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

TEST(CleanPairs, KeepsScoresOfPairsThatWereOnDisk) {
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

TEST(CleanPairs, ReportsTheShareOfTheChunkThatAModelHasScored) {
  LetterScorer scorer;  // reports half of a chunk
  std::vector<std::pair<std::int64_t, double>> reports;
  clean_by_scores({{"c", "x", 1, false}, {"d", "x", 2, false}}, scorer, std::size_t{1} << 30,
                  [&](const auto& now) { reports.emplace_back(now.pairs, now.share.value()); });
  EXPECT_EQ(reports, (std::vector<std::pair<std::int64_t, double>>{{1, 0.5}, {2, 1.0}}));
}

TEST(CleanPairs, EndsAtASignalWhileAModelScores) {
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

/// Returns pairs of which some are empty, copied, damaged or repeated.
std::vector<CorpusPair> dirty_pairs(std::int64_t count, std::int64_t different) {
  std::vector<CorpusPair> pairs;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i * 7919 % different);
    CorpusPair pair{"Haus " + number, "house " + std::to_string(i * 31 % different), i + 1, false};
    if (i % 11 == 3) pair.target = "";
    if (i % 13 == 5) pair.target = pair.source;
    if (i % 17 == 7) pair.source += '\xFF';
    if (i % 19 == 9) pair.malformed = true;
    pairs.push_back(pair);
  }
  return pairs;
}

TEST(CleanPairs, PassesPairsOnInTheirOrder) {
  const auto cleaned = clean({{"Hund", "dog", 1, false},
                              {"", "cat", 2, false},
                              {"Hund", "dog", 3, false},
                              {"Katze", "cat", 4, false},
                              {"Hund", "hound", 5, false},
                              {"Kater", "cat", 6, false}});
  EXPECT_THAT(cleaned.found,
              testing::ElementsAre("1:Hund|dog", "empty 2:|cat", "duplicate_pairs 3:Hund|dog",
                                   "4:Katze|cat", "duplicate_sources 5:Hund|hound",
                                   "duplicate_targets 6:Kater|cat"));
  EXPECT_EQ(cleaned.counts.pairs, 6);
  EXPECT_EQ(cleaned.counts.kept, 2);
}

TEST(CleanPairs, CountsAndKeepsTheFirstExamplesOfEachRule) {
  const auto cleaned = clean(dirty_pairs(2000, 5000));
  std::map<std::string, std::int64_t> counted;
  for (const auto& line : cleaned.found) {
    const auto space = line.find(' ');
    if (space < line.find(':')) ++counted[line.substr(0, space)];
  }
  EXPECT_GE(counted.size(), 4U);
  for (std::size_t i = 0; i < rules().size(); ++i) {
    EXPECT_EQ(cleaned.counts.dropped[i], counted[rules()[i].name]) << rules()[i].name;
    EXPECT_EQ(std::ssize(cleaned.counts.examples[i]),
              std::min<std::int64_t>(most_examples, cleaned.counts.dropped[i]));
  }
}

TEST(CleanPairs, DoesTheSameWithAnyThreadsAndMemory) {
  // more than two chunks, and keys that leave the memory at several places
  const auto pairs = dirty_pairs(30'000, 9000);
  const auto expected = clean(pairs);
  EXPECT_EQ(expected.found.size(), pairs.size());
  EXPECT_FALSE(expected.counts.used_disk);
  for (const std::int64_t threads : {1, 2, 5}) {
    for (const std::size_t memory :
         {std::size_t{1}, std::size_t{30'000}, std::size_t{200'000}, std::size_t{1} << 30}) {
      const auto cleaned = clean(pairs, threads, memory);
      EXPECT_EQ(cleaned.found, expected.found) << threads << " threads, " << memory << " bytes";
      EXPECT_EQ(cleaned.counts.dropped, expected.counts.dropped);
      EXPECT_EQ(cleaned.counts.used_disk, memory < 1 << 20);
    }
  }
}

TEST(CleanPairs, DropsNothingOfItsOwnOutput) {
  std::vector<CorpusPair> kept;
  for (const auto& line : clean(dirty_pairs(5000, 3000)).found) {
    const auto colon = line.find(':');
    if (line.find(' ') < colon) continue;
    const auto bar = line.find('|');
    kept.push_back({line.substr(colon + 1, bar - colon - 1), line.substr(bar + 1),
                    std::ssize(kept) + 1, false});
  }
  const auto again = clean(kept);
  EXPECT_EQ(again.counts.kept, std::ssize(kept));
}

TEST(CleanPairs, LosesNoPairOfAnyText) {
  check_property(
      [] {
        const auto text =
            text_from({"Hund", "dog", " ", "\t", "\xFF", "1", "http://a.b", "<b>", ""});
        const auto sides = *rc::gen::container<std::vector<std::pair<std::string, std::string>>>(
            rc::gen::pair(text, text));
        std::vector<CorpusPair> pairs;
        for (const auto& [source, target] : sides)
          pairs.push_back({source, target, std::ssize(pairs) + 1, false});
        const auto memory = *rc::gen::element<std::size_t>(1, 1 << 20);
        const auto cleaned = clean(pairs, 2, memory);
        RC_ASSERT(cleaned.found.size() == pairs.size());
        for (std::size_t i = 0; i < pairs.size(); ++i)
          RC_ASSERT(cleaned.found[i].ends_with(std::to_string(i + 1) + ":" + pairs[i].source + "|" +
                                               pairs[i].target));
      },
      50);
}

TEST(CleanPairs, AcceptsAnEmptyCorpus) {
  const auto cleaned = clean({});
  EXPECT_THAT(cleaned.found, IsEmpty());
  EXPECT_EQ(cleaned.counts.pairs, 0);
}

TEST(CleanPairs, ReportsEachStep) {
  const TemporaryFolder folder;
  const CapturedLog log;
  VectorSource source(dirty_pairs(20'000, 15'000));
  RecordingSink sink;
  std::vector<CleaningProgress> steps;
  clean_pairs(source, all_rules(), sink,
              {.threads = 1,
               .memory = 1,
               .scratch = folder.path("clean"),
               .on_progress = [&](const CleaningProgress& step) { steps.push_back(step); }});
  std::map<CleaningStep, std::int64_t> last;
  for (const CleaningProgress& step : steps) {
    EXPECT_GE(step.pairs, last[step.step]);
    last[step.step] = step.pairs;
    if (step.share) {
      EXPECT_LE(*step.share, 1);
    }
  }
  EXPECT_EQ(last.size(), 3U);
  EXPECT_EQ(last[CleaningStep::check], 20'000);
  EXPECT_GT(last[CleaningStep::write], 15'000);
  EXPECT_THAT(log.text(), HasSubstr("the memory for duplicates is full"));
}

TEST(CleanPairs, StopsInEachStepIfASignalArrives) {
  for (const auto at : {CleaningStep::check, CleaningStep::find_duplicates, CleaningStep::write}) {
    const TemporaryFolder folder;
    const CapturedLog log;
    install_signal_handlers();
    VectorSource source(dirty_pairs(20'000, 15'000));
    RecordingSink sink;
    EXPECT_THROW(clean_pairs(source, all_rules(), sink,
                             {.threads = 2,
                              .memory = 1,
                              .scratch = folder.path("clean"),
                              .on_progress =
                                  [&](const CleaningProgress& step) {
                                    if (step.step == at) std::raise(SIGINT);
                                  }}),
                 Interrupted);
    clear_interrupt();
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

TEST(CleanPairs, PassesOnTheErrorOfItsSource) {
  struct FailingSource : VectorSource {
    using VectorSource::VectorSource;
    bool next(CorpusPair& pair) override {
      if (VectorSource::next(pair)) return true;
      throw DataError("a.de:20001", "is corrupt");
    }
  };
  const TemporaryFolder folder;
  FailingSource source(dirty_pairs(20'000, 15'000));
  RecordingSink sink;
  EXPECT_THROW(
      clean_pairs(
          source, all_rules(), sink,
          {.threads = 2, .memory = 1 << 20, .scratch = folder.path("clean"), .on_progress = {}}),
      DataError);
}

}  // namespace
}  // namespace tfm
