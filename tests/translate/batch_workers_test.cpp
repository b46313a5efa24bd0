#include "translate/batch_workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/tensor/runtime.h"
#include "tfm/translate/translator.h"
#include "tiny_model.h"

namespace tfm {
namespace {

struct ForEachBatch : testing::Test {
  TranslationModel model = tiny_model();
  Inference inference{{&model}, model.config.decoding};
};

TEST_F(ForEachBatch, CallsWorkOncePerBatch) {
  for (const int threads : {1, 2, 3, 8}) {
    const ThreadCountGuard all(threads);
    const Inference::Use use(inference);
    std::vector<std::atomic<int>> done(50);
    for_each_batch(done.size(), inference, [&](std::size_t i) { ++done[i]; });
    EXPECT_THAT(std::vector<int>(done.begin(), done.end()), testing::Each(1)) << threads;
    EXPECT_EQ(torch::get_num_threads(), threads) << "the thread count is restored";
    for_each_batch(0, inference, [](std::size_t) { FAIL(); });
  }
}

/// Each batch waits up to a minute for the other to start, so that two threads are in use.
TEST_F(ForEachBatch, RunsBatchesInParallelAndDividesTheThreads) {
  const ThreadCountGuard all(4);
  const Inference::Use use(inference);
  std::atomic<int> here{0};
  std::vector<int> threads(2);
  for_each_batch(2, inference, [&](std::size_t i) {
    ++here;
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (here < 2 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    threads[i] = torch::get_num_threads();
    EXPECT_TRUE(c10::InferenceMode::is_enabled());
  });
  EXPECT_EQ(here, 2);
  EXPECT_EQ(threads, (std::vector{2, 2})) << "four threads for two batches";
}

TEST_F(ForEachBatch, RethrowsTheExceptionOfABatch) {
  const ThreadCountGuard all(3);
  const Inference::Use use(inference);
  EXPECT_EQ(message_of<DataError>([&] {
              for_each_batch(20, inference, [](std::size_t i) {
                if (i == 5) throw DataError("line 6", "is wrong");
              });
            }).substr(0, 6),
            "line 6");
  EXPECT_EQ(torch::get_num_threads(), 3);
}

TEST_F(ForEachBatch, TranslationsDoNotDependOnTheNumberOfThreads) {
  auto decoding = model.config.decoding;
  decoding.batch_type = BatchType::sentences;
  decoding.batch_size = 2;
  std::vector<std::string> lines;
  for (int i = 0; i < 200; ++i)
    lines.push_back(std::string(1, static_cast<char>('a' + i % 10)) + " b " +
                    (i % 3 == 0 ? "c d e" : "f"));
  const auto translate = [&](int threads) {
    const ThreadCountGuard all(threads);
    return Translator(model, decoding).translate(lines);
  };
  const auto one = translate(1);
  const auto several = translate(4);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(several[i].text(), one[i].text());
    EXPECT_NEAR(several[i].candidates[0].score, one[i].candidates[0].score, 1e-5);
  }
}

TEST(ForEachLine, CallsWorkOncePerLineAndRethrowsTheErrorOfTheFirstLine) {
  for (const int threads : {1, 2, 8}) {
    const ThreadCountGuard all(threads);
    for (const std::size_t lines : {0, 1, 127, 128, 1000}) {
      std::vector<std::atomic<int>> done(lines);
      for_each_line(lines, [&](std::size_t i) { ++done[i]; });
      EXPECT_THAT(std::vector<int>(done.begin(), done.end()), testing::Each(1)) << lines;
    }
    EXPECT_EQ(message_of<DataError>([] {
                for_each_line(1000, [](std::size_t i) {
                  if (i >= 700) throw DataError("line " + std::to_string(i), "is wrong");
                });
              }).substr(0, 8),
              "line 700")
        << threads;
  }
}

/// Lines wait for a line of another thread, up to a minute in all, so that two threads are in use.
TEST(ForEachLine, UsesSeveralThreadsForManyLines) {
  const ThreadCountGuard all(2);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  const auto count = [&] {
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
    return seen.size();
  };
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for_each_line(128, [&](std::size_t) {
    while (count() < 2 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  });
  EXPECT_EQ(seen.size(), 2);
  seen.clear();
  for_each_line(100, [&](std::size_t) { count(); });
  EXPECT_EQ(seen.size(), 1) << "a thread is not started for few lines";
}

}  // namespace
}  // namespace tfm
