// Tests shared batches through the Translator. The translation of a line is the same as without
// sharing, whatever others translate at the same time.
#include "translate/shared_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <random>
#include <thread>

#include "tfm/core/error.h"
#include "tfm/tensor/runtime.h"
#include "tfm/translate/translator.h"
#include "tiny_model.h"

namespace tfm {
namespace {

using testing::Each;
using testing::Le;

std::vector<std::string> random_texts(std::size_t count) {
  std::mt19937 random(3);
  std::vector<std::string> lines(count);
  for (auto& line : lines) {
    for (auto words = 1 + random() % 20; words > 0; --words)
      line.append(1, static_cast<char>('a' + random() % 10)).append(" ");
  }
  return lines;
}

std::string written(const Translation& translation) {
  std::string text;
  for (const auto& candidate : translation.candidates)
    text += candidate.text + " " + std::to_string(candidate.score) + "\n";
  return text;
}

std::vector<std::string> written(const std::vector<Translation>& translations) {
  std::vector<std::string> texts;
  for (const auto& translation : translations) texts.push_back(written(translation));
  return texts;
}

/// Counts the lines whose translation by many callers at once differs from that by one.
int count_differences(const DecodingConfig& decoding, const SharedBatches& sharing) {
  auto model = tiny_model();
  const auto lines = random_texts(96);
  const auto expected = written(Translator(model, decoding).translate(lines));
  const Translator translator(model, decoding, sharing);
  constexpr std::size_t callers = 8;
  std::atomic<int> differences{0};
  std::vector<std::thread> threads;
  for (std::size_t caller = 0; caller < callers; ++caller) {
    threads.emplace_back([&, caller] {
      std::mt19937 random(static_cast<unsigned>(caller));
      for (std::size_t i = caller; i < lines.size(); i += callers) {
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 2000));
        TranslationRequest request;
        request.first_line = static_cast<std::int64_t>(i);
        differences += written(translator.translate({lines[i]}, request)[0]) != expected[i];
      }
    });
  }
  for (auto& thread : threads) thread.join();
  return differences;
}

DecodingConfig reproducible() {
  auto decoding = tiny_model().config.decoding;
  decoding.reproducible = true;
  decoding.beam_size = decoding.n_best = 2;
  return decoding;
}

/// Each batch has one thread, as in tfm serve.
struct SharedSearchTest : testing::Test {
  const ThreadCountGuard one_thread{1};
};

TEST_F(SharedSearchTest, GivesEachCallerTheTranslationsOfACallerAlone) {
  EXPECT_EQ(count_differences(reproducible(), {.workers = 1}), 0);
  EXPECT_EQ(count_differences(reproducible(), {.workers = 3, .sentences = 4}), 0);
  EXPECT_EQ(count_differences(reproducible(), {.workers = 2, .sentences = 64, .tokens = 9}), 0);
  auto sampling = reproducible();
  sampling.sampling = true;
  EXPECT_EQ(count_differences(sampling, {.workers = 2}), 0);
}

/// Others of the batch may ask for no scores, before or after those that do.
TEST_F(SharedSearchTest, GivesScoresToThoseWhoAskForThem) {
  auto model = tiny_model();
  auto greedy = reproducible();
  greedy.beam_size = greedy.n_best = 1;
  const auto lines = random_texts(60);
  const auto expected = written(Translator(model, greedy).translate(lines));
  const Translator translator(model, greedy, {.workers = 1, .sentences = 8});
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (const bool scores : {false, true, false, true}) {
    threads.emplace_back([&, scores] {
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto found = translator.translate({lines[i]}, {.scores = scores});
        wrong += scores ? written(found[0]) != expected[i]
                        : !expected[i].starts_with(found[0].text() + " ");
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

/// Without an IndirectKvCache, no sentence joins a batch.
TEST_F(SharedSearchTest, TranslatesWithModelsWhoseBatchesNoneJoins) {
  auto decoding = reproducible();
  decoding.coverage_penalty = 0.2;
  EXPECT_EQ(count_differences(decoding, {.workers = 2}), 0);
}

TEST_F(SharedSearchTest, TranslatesManyLinesOfOneCall) {
  auto model = tiny_model();
  const auto lines = random_texts(200);
  std::vector<std::size_t> sizes;
  const Translator translator(
      model, reproducible(), {.workers = 1, .sentences = 16, .on_join = [&sizes](std::size_t size) {
                                sizes.push_back(size);
                              }});
  EXPECT_EQ(written(translator.translate(lines)),
            written(Translator(model, reproducible()).translate(lines)));
  EXPECT_THAT(sizes, Each(Le(16U)));
  EXPECT_EQ(sizes.front(), 16U);
  EXPECT_GT(sizes.size(), 200U / 16 + 1) << "lines join when others finish";
  EXPECT_TRUE(translator.translate({}).empty());
}

TEST_F(SharedSearchTest, TranslatesWithAnEnsemble) {
  auto first = tiny_model(1);
  auto second = tiny_model(2);
  const std::vector<TranslationModel*> models{&first, &second};
  const auto lines = random_texts(40);
  EXPECT_EQ(
      written(Translator(models, reproducible(), {.workers = 1, .sentences = 4}).translate(lines)),
      written(Translator(models, reproducible()).translate(lines)));
}

/// A client that hangs up gives its rows back.
TEST_F(SharedSearchTest, GivesUpTheLinesOfACallerThatNeedsThemNoLonger) {
  auto model = tiny_model();
  auto endless = reproducible();
  endless.max_length = endless.min_length = 100'000'000;
  endless.max_length_factor = 1e7;
  std::promise<void> joined;
  const Translator translator(
      model, endless, {.workers = 1, .on_join = [&joined](std::size_t) { joined.set_value(); }});
  std::stop_source source;
  TranslationRequest request;
  request.stop = source.get_token();
  auto call = std::async([&] { return translator.translate({"a b"}, request); });
  joined.get_future().wait();
  source.request_stop();
  EXPECT_THROW(call.get(), Interrupted);
}

TEST_F(SharedSearchTest, GivesOnlyTheCallerAtFaultAnError) {
  auto model = tiny_model();
  auto decoding = reproducible();
  decoding.sampling = true;  // cannot force phrases
  const Translator translator(model, decoding, {.workers = 1});
  TranslationRequest forcing;
  forcing.constraints = {{"", {"a"}}};
  std::atomic<int> errors{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      try {
        translator.translate({"a b c"}, i % 2 == 0 ? forcing : TranslationRequest{});
      } catch (const ConfigError&) {
        errors += i % 2 == 0 ? 1 : 100;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(errors, 4);
}

}  // namespace
}  // namespace tfm
