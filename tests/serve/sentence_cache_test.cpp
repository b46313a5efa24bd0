#include "tfm/serve/sentence_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "gated_lane.h"
#include "tfm/serve/recently_used.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using Batch = GatedLane::Batch;

constexpr std::size_t enough = 1'000'000;

std::vector<LineTranslation> translations(const Batch& lines) {
  std::vector<LineTranslation> all;
  for (const auto& line : lines) all.push_back({{"[" + line + "]"}});
  return all;
}

std::vector<LineTranslation> run(const LanePointer& lane, const Batch& texts,
                                 const std::string& tag = "") {
  std::vector<LaneLine> lines;
  for (const auto& text : texts) lines.push_back({text, tag});
  return (*lane)(lines);
}

TEST(SentenceCache, TranslatesALineOnce) {
  GatedLane model(true);
  std::size_t found = 0;
  SentenceCache cache(enough, [&found](std::size_t lines) { found += lines; });
  const auto lane = cache.remember(model.lane());
  EXPECT_EQ(run(lane, {"a", "b"}), translations({"a", "b"}));
  EXPECT_EQ(found, 0);
  EXPECT_EQ(run(lane, {"b", "c", "a"}), translations({"b", "c", "a"}));
  EXPECT_EQ(run(lane, {"c"}), translations({"c"}));
  EXPECT_EQ(found, 3);
  EXPECT_THAT(model.wait_for_batches(2), ElementsAre(Batch{"a", "b"}, Batch{"c"}));
}

TEST(SentenceCache, KeepsLinesWithOtherDetailsApart) {
  GatedLane model(true);
  const auto lane = SentenceCache(enough).remember(model.lane());
  const std::vector<LineDetails> details{{},
                                         {.words = true},
                                         {.next_words = 1},
                                         {.next_words = 2},
                                         {.next_words = 2, .prefix = "a"},
                                         {.next_words = 2, .prefix = "2 a"}};
  for (int i = 0; i < 2; ++i) {
    for (const auto& each : details) (*lane)({{"a", "", each}});
  }
  EXPECT_EQ(model.wait_for_batches(0).size(), details.size());
}

TEST(SentenceCache, CountsTheMemoryOfWords) {
  const auto worded = std::make_shared<Lane>([](const auto&) {
    return std::vector<LineTranslation>{{{"a"}, {std::vector<AlignedWord>(100, AlignedWord{"a"})}}};
  });
  SentenceCache cache(enough);
  (*cache.remember(worded))({{"a"}});
  EXPECT_GT(cache.bytes(), 100 * sizeof(AlignedWord));
}

TEST(SentenceCache, TranslatesEqualLinesOfABatchOnce) {
  GatedLane model(true);
  const auto lane = SentenceCache(enough).remember(model.lane());
  EXPECT_EQ(run(lane, {"a", "b", "a", "a"}), translations({"a", "b", "a", "a"}));
  EXPECT_THAT(model.wait_for_batches(1), ElementsAre(Batch{"a", "b"}));
}

TEST(SentenceCache, KeepsTheTranslationsOfLanesApart) {
  GatedLane text(true);
  GatedLane html(true);
  SentenceCache cache(enough);
  const auto first = cache.remember(text.lane());
  const auto second = cache.remember(html.lane());
  run(first, {"a"});
  run(second, {"a"});
  EXPECT_THAT(html.wait_for_batches(1), ElementsAre(Batch{"a"}));
}

TEST(SentenceCache, KeepsTheTranslationsOfTagsApart) {
  GatedLane model(true);
  const auto lane = SentenceCache(enough).remember(model.lane());
  EXPECT_EQ(run(lane, {"a"}, "<2en>"), translations({"<2en>a"}));
  EXPECT_EQ(run(lane, {"a"}, "<2fr>"), translations({"<2fr>a"}));
  EXPECT_EQ((*lane)({{"a", "<2fr>"}, {"a", "<2de>"}, {"a", ""}}),
            translations({"<2fr>a", "<2de>a", "a"}));
  EXPECT_THAT(model.wait_for_batches(1),
              ElementsAre(Batch{"<2en>a"}, Batch{"<2fr>a"}, Batch{"<2de>a", "a"}));
}

TEST(SentenceCache, ForgetsWhatWasUsedLongestAgo) {
  constexpr std::size_t about_three_lines = 750;
  GatedLane model(true);
  SentenceCache cache(about_three_lines);
  const auto lane = cache.remember(model.lane());
  for (const char* line : {"a", "b", "c", "a", "d", "a", "b"}) {
    run(lane, {line});
    EXPECT_LE(cache.bytes(), about_three_lines);
  }
  EXPECT_THAT(model.wait_for_batches(5),
              ElementsAre(Batch{"a"}, Batch{"b"}, Batch{"c"}, Batch{"d"}, Batch{"b"}));
}

TEST(SentenceCache, DoesNotKeepALineThatIsTooLarge) {
  GatedLane model(true);
  SentenceCache cache(300);
  const auto lane = cache.remember(model.lane());
  const std::string large(1000, 'a');
  EXPECT_EQ(run(lane, {large}), translations({large}));
  EXPECT_EQ(cache.bytes(), 0);
}

/// Attention would drive many translations out of the memory.
TEST(SentenceCache, RemembersNoAttention) {
  GatedLane model(true);
  SentenceCache cache(enough);
  const auto lane = cache.remember(model.lane());
  const LaneLine attention{"a", "", {.attention_target = "b"}};
  run(lane, {"a"});
  const auto bytes = cache.bytes();
  EXPECT_EQ((*lane)({attention, {"a"}, attention}), translations({"a", "a", "a"}));
  EXPECT_EQ(cache.bytes(), bytes);
  EXPECT_THAT(model.wait_for_batches(0), ElementsAre(Batch{"a"}, Batch{"a", "a"}));
}

TEST(SentenceCache, RemembersNoErrorOfALineButTheOtherLines) {
  GatedLane model(true);
  SentenceCache cache(enough);
  const auto lane = cache.remember(model.lane());
  for (int i = 0; i < 2; ++i) {
    const auto results = run(lane, {"refuse", "a", "refuse"});
    EXPECT_EQ(results[0].error, HttpError(400, "the line is refused"));
    EXPECT_EQ(results[2].error, results[0].error);
    EXPECT_EQ(results[1].text(), "[a]");
  }
  EXPECT_THAT(model.wait_for_batches(0), ElementsAre(Batch{"refuse", "a"}, Batch{"refuse"}));
}

TEST(SentenceCache, PassesAnErrorOnAndRemembersNothing) {
  GatedLane model(true);
  SentenceCache cache(enough);
  const auto lane = cache.remember(model.lane());
  EXPECT_THROW(run(lane, {"a", "fail"}), std::runtime_error);
  EXPECT_EQ(cache.bytes(), 0);
}

TEST(SentenceCache, ServesSeveralThreads) {
  GatedLane model(true);
  SentenceCache cache(2000);
  const auto lane = cache.remember(model.lane());
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&lane, thread] {
      for (int i = 0; i < 500; ++i) {
        const Batch lines{std::to_string(i % 7), std::to_string((i + thread) % 11)};
        EXPECT_EQ(run(lane, lines), translations(lines));
      }
    });
  }
}

TEST(RecentlyUsed, TakesTheEntryThatWasUsedLongestAgo) {
  RecentlyUsed<int> map;
  map.add("a", 1);
  map.add("b", 2);
  map.add("c", 3);
  EXPECT_EQ(*map.find("a"), 1);
  EXPECT_EQ(map.find("d"), nullptr);
  EXPECT_EQ(map.take_oldest().key, "b");
  EXPECT_EQ(map.find("b"), nullptr);
  map.add("b", 4);
  EXPECT_EQ(map.take_oldest().value, 3);
  EXPECT_EQ(map.size(), 2);
}

}  // namespace
}  // namespace tfm
