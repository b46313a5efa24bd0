#include "data/window_encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <numeric>
#include <thread>

#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"

namespace tfm {
namespace {

std::vector<std::int64_t> numbers(std::int64_t count) {
  std::vector<std::int64_t> items(static_cast<std::size_t>(count));
  std::iota(items.begin(), items.end(), 0);
  return items;
}

/// Changes every third example.
ChangedExamples change_some(std::span<const std::int64_t> block,
                            const WindowEncoding::OnPairs& on_pairs) {
  ChangedExamples changed;
  for (const std::int64_t item : block) {
    on_pairs(1);
    if (item % 3 != 0) continue;
    changed.indices.push_back(item);
    changed.examples.push_back({.source = {TokenId(item)}, .target = {1, 2}, .line = item + 1});
  }
  return changed;
}

/// Encodes until it is ended.
ChangedExamples encode_for_ever(std::span<const std::int64_t> /*block*/,
                                const WindowEncoding::OnPairs& on_pairs) {
  for (;;) {
    on_pairs(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(WindowEncoding, ReturnsTheSameWithAnyNumberOfThreadsAndBlocks) {
  for (const std::int64_t threads : {1, 2, 5}) {
    for (const std::size_t block : {1, 7, 1000}) {
      const WindowExamples window({},
                                  WindowEncoding(numbers(100), block, change_some).finish(threads));
      for (std::size_t i = 0; i < 100; ++i) {
        const auto found = window.find(i);
        ASSERT_EQ(found.has_value(), i % 3 == 0);
        if (found) {
          EXPECT_EQ(found->source, TokenIds{TokenId(i)});
        }
      }
    }
  }
}

TEST(WindowEncoding, ThrowsTheErrorOfAnyThread) {
  WindowEncoding encoding(numbers(100), 10,
                          [](std::span<const std::int64_t> block,
                             const WindowEncoding::OnPairs& on_pairs) -> ChangedExamples {
                            if (block.front() == 70) throw DataError("disk", "is broken");
                            return encode_for_ever(block, on_pairs);
                          });
  EXPECT_THAT(message_of<DataError>([&] { encoding.finish(8); }),
              testing::HasSubstr("disk: is broken"));
}

TEST(WindowEncoding, EndsWhenItIsNotNeeded) {
  const WindowEncoding encoding(numbers(100), 10, encode_for_ever);
}

TEST(WindowEncoding, EndsAfterASignal) {
  install_signal_handlers();
  WindowEncoding encoding(numbers(100), 10, encode_for_ever);
  std::thread signal([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::raise(SIGINT);
  });
  EXPECT_THROW(encoding.finish(2), Interrupted);
  signal.join();
  clear_interrupt();
}

}  // namespace
}  // namespace tfm
