#include "tfm/corpus/cleaning.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <functional>

#include "captured_log.h"
#include "clean_pairs.h"
#include "property.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

RuleSet all_rules() {
  RuleValues values = default_rule_values();
  for (std::size_t i = 0; i < rules().size(); ++i) {
    if (rules()[i].key != nullptr) {
      EXPECT_EQ(set_rule(values, i, "on"), "");
    }
  }
  return {values, {language_from_code("de"), language_from_code("en")}};
}

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

TEST(CleanPairs, CountsAndKeepsExamplesOfEachRule) {
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

/// Text changes from its beginning to its end, and so do its faults.
TEST(CleanPairs, TakesExamplesFromTheWholeText) {
  std::vector<CorpusPair> pairs;
  for (std::int64_t line = 1; line <= 10'000; ++line) pairs.push_back({"", "cat", line, false});
  const auto examples = clean(pairs).counts.examples;
  const auto found = std::ranges::find_if(examples, [](const auto& of) { return !of.empty(); });
  ASSERT_NE(found, examples.end());
  EXPECT_EQ(found->size(), most_examples);
  EXPECT_TRUE(std::ranges::is_sorted(*found, {}, &CorpusPair::line));
  EXPECT_LT(found->front().line, 5000);
  EXPECT_GT(found->back().line, 5000);
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
