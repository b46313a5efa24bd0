#include "tfm/serve/sentence_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "gated_lane.h"
#include "tfm/serve/recently_used.h"

namespace tfm {
namespace {

using testing::ElementsAre;

constexpr std::size_t enough = 1'000'000;

/// Returns the texts that the lane gives.
std::string run(const LanePointer& lane, const std::string& text, const std::string& tag = "") {
  return (*lane)({text, {tag}}).text();
}

TEST(SentenceCache, TranslatesALineOnce) {
  GatedLane model(true);
  std::size_t found = 0;
  SentenceCache cache(enough, [&found] { ++found; });
  const auto lane = cache.remember(model.lane());
  EXPECT_EQ(run(lane, "a"), "[a]");
  EXPECT_EQ(run(lane, "b"), "[b]");
  EXPECT_EQ(found, 0);
  EXPECT_EQ(run(lane, "b"), "[b]");
  EXPECT_EQ(run(lane, "a"), "[a]");
  EXPECT_EQ(found, 2);
  EXPECT_THAT(model.wait_for_lines(2), ElementsAre("a", "b"));
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
    for (const auto& each : details) (*lane)({"a", {}, each});
  }
  EXPECT_EQ(model.wait_for_lines(0).size(), details.size());
}

TEST(SentenceCache, CountsTheMemoryOfWords) {
  const auto worded = std::make_shared<Lane>([](const auto&) {
    return LineTranslation{{"a"}, {std::vector<AlignedWord>(100, AlignedWord{"a"})}};
  });
  SentenceCache cache(enough);
  (*cache.remember(worded))({"a"});
  EXPECT_GT(cache.bytes(), 100 * sizeof(AlignedWord));
}

TEST(SentenceCache, KeepsTheTranslationsOfLanesApart) {
  GatedLane text(true);
  GatedLane html(true);
  SentenceCache cache(enough);
  const auto first = cache.remember(text.lane());
  const auto second = cache.remember(html.lane());
  run(first, "a");
  run(second, "a");
  EXPECT_THAT(html.wait_for_lines(1), ElementsAre("a"));
}

TEST(SentenceCache, KeepsTheTranslationsOfTagsApart) {
  GatedLane model(true);
  const auto lane = SentenceCache(enough).remember(model.lane());
  for (const auto* tag : {"<2en>", "<2fr>", "<2en>", ""})
    EXPECT_EQ(run(lane, "a", tag), "[" + std::string(tag) + "a]");
  (*lane)({"a", {"deu_Latn", "fra_Latn"}});
  (*lane)({"a", {"deu_Latn", "eng_Latn"}});
  EXPECT_THAT(model.wait_for_lines(1),
              ElementsAre("<2en>a", "<2fr>a", "a", "deu_Latna", "deu_Latna"));
}

TEST(SentenceCache, ForgetsWhatWasUsedLongestAgo) {
  constexpr std::size_t about_three_lines = 750;
  GatedLane model(true);
  SentenceCache cache(about_three_lines);
  const auto lane = cache.remember(model.lane());
  for (const char* line : {"a", "b", "c", "a", "d", "a", "b"}) {
    run(lane, line);
    EXPECT_LE(cache.bytes(), about_three_lines);
  }
  EXPECT_THAT(model.wait_for_lines(5), ElementsAre("a", "b", "c", "d", "b"));
}

TEST(SentenceCache, DoesNotKeepALineThatIsTooLarge) {
  GatedLane model(true);
  SentenceCache cache(300);
  const auto lane = cache.remember(model.lane());
  const std::string large(1000, 'a');
  EXPECT_EQ(run(lane, large), "[" + large + "]");
  EXPECT_EQ(cache.bytes(), 0);
}

/// Attention would drive many translations out of the memory.
TEST(SentenceCache, RemembersNoAttention) {
  GatedLane model(true);
  SentenceCache cache(enough);
  const auto lane = cache.remember(model.lane());
  const LaneLine attention{"a", {}, {.attention_target = "b"}};
  run(lane, "a");
  const auto bytes = cache.bytes();
  (*lane)(attention);
  (*lane)(attention);
  EXPECT_EQ(cache.bytes(), bytes);
  EXPECT_THAT(model.wait_for_lines(0), ElementsAre("a", "a", "a"));
}

TEST(SentenceCache, RemembersNoErrorOfALine) {
  GatedLane model(true);
  SentenceCache cache(enough);
  const auto lane = cache.remember(model.lane());
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ((*lane)({"refuse"}).error, HttpError(400, "the line is refused"));
  EXPECT_THAT(model.wait_for_lines(0), ElementsAre("refuse", "refuse"));
  EXPECT_EQ(cache.bytes(), 0);
}

TEST(SentenceCache, PassesAnErrorOnAndRemembersNothing) {
  GatedLane model(true);
  SentenceCache cache(enough);
  const auto lane = cache.remember(model.lane());
  EXPECT_THROW(run(lane, "fail"), std::runtime_error);
  EXPECT_EQ(cache.bytes(), 0);
}

TEST(SentenceCache, ServesSeveralThreads) {
  GatedLane model(true);
  SentenceCache cache(2000);
  const auto lane = cache.remember(model.lane());
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&lane, thread] {
      for (int i = 0; i < 1000; ++i) {
        const auto line = std::to_string((i + thread) % 17);
        EXPECT_EQ(run(lane, line), "[" + line + "]");
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
