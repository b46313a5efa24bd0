#include "tfm/serve/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "captured_log.h"
#include "gated_lane.h"
#include "tfm/serve/http_message.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Batch = GatedLane::Batch;

std::vector<Engine::Line> lines_of(const GatedLane& gate, const std::vector<std::string>& texts) {
  std::vector<Engine::Line> lines;
  for (const auto& text : texts) lines.push_back({gate.lane(), text});
  return lines;
}

/// Returns numbered lines: "a0", "a1".
std::vector<Engine::Line> numbered(const GatedLane& gate, const std::string& name, int count) {
  std::vector<Engine::Line> lines;
  for (int i = 0; i < count; ++i) lines.push_back({gate.lane(), name + std::to_string(i)});
  return lines;
}

std::future<Engine::Result> submit(Engine& engine, std::vector<Engine::Line> lines) {
  auto promise = std::make_shared<std::promise<Engine::Result>>();
  engine.submit(std::move(lines),
                [promise](Engine::Result result) { promise->set_value(std::move(result)); });
  return promise->get_future();
}

int status_of_submit(Engine& engine, std::vector<Engine::Line> lines) {
  try {
    engine.submit(std::move(lines), [](const Engine::Result&) {});
    return 200;
  } catch (const HttpError& error) {
    return error.status();
  }
}

EngineOptions options(std::size_t batch_lines) {
  return {.workers = 1, .batch_lines = batch_lines, .waiting_lines = 100, .delay = 0};
}

TEST(Engine, ReturnsTheLinesOfARequestInOrder) {
  GatedLane gate(true);
  Engine engine(options(2));
  const auto result = submit(engine, lines_of(gate, {"a", "b", "c"})).get();
  EXPECT_FALSE(result.error);
  EXPECT_THAT(result.lines, ElementsAre(LineTranslation{{"[a]"}}, LineTranslation{{"[b]"}},
                                        LineTranslation{{"[c]"}}));
  EXPECT_THAT(submit(engine, {}).get().lines, IsEmpty());
}

TEST(Engine, GivesEachRequestOneLinePerTurn) {
  GatedLane gate;
  Engine engine(options(4));
  auto first = submit(engine, lines_of(gate, {"first"}));
  gate.wait_for_batches(1);  // the only worker is busy, so the next lines wait
  auto document = submit(engine, numbered(gate, "d", 9));
  auto shorter = submit(engine, numbered(gate, "s", 1));
  auto other = submit(engine, numbered(gate, "o", 2));
  gate.open();
  document.get(), shorter.get(), other.get();
  const auto batches = gate.wait_for_batches(4);
  EXPECT_THAT(batches[1], ElementsAre("d0", "s0", "o0", "d1"));
  EXPECT_THAT(batches[2], ElementsAre("o1", "d2", "d3", "d4"));
  EXPECT_THAT(batches[3], ElementsAre("d5", "d6", "d7", "d8"));
}

TEST(Engine, FillsABatchWithLinesOfOneLane) {
  GatedLane gate;
  GatedLane second;
  Engine engine(options(4));
  auto first = submit(engine, lines_of(gate, {"first"}));
  gate.wait_for_batches(1);
  auto a = submit(engine, numbered(gate, "a", 2));
  auto b = submit(engine, numbered(second, "b", 2));
  auto c = submit(engine, numbered(gate, "c", 1));
  gate.open(), second.open();
  a.get(), b.get(), c.get();
  EXPECT_THAT(gate.wait_for_batches(2)[1], ElementsAre("a0", "c0", "a1"));
  EXPECT_THAT(second.wait_for_batches(1)[0], ElementsAre("b0", "b1"));
}

TEST(Engine, EndsABatchThatHasEnoughText) {
  GatedLane gate;
  auto small = options(10);
  small.batch_bytes = 4;
  Engine engine(small);
  auto first = submit(engine, lines_of(gate, {"first"}));
  gate.wait_for_batches(1);
  auto all = submit(engine, lines_of(gate, {"ab", "cd", "ef"}));
  gate.open();
  all.get();
  EXPECT_THAT(gate.wait_for_batches(3)[1], ElementsAre("ab", "cd"));
}

/// Next words are several searches, and a prefix or a given translation is text of the model, too.
TEST(Engine, EndsABatchThatIsEnoughWork) {
  const auto batch_of = [](const LineDetails& details) {
    GatedLane gate;
    auto small = options(10);
    small.batch_bytes = 14;
    Engine engine(small);
    auto first = submit(engine, lines_of(gate, {"first"}));
    gate.wait_for_batches(1);
    auto lines = numbered(gate, "a", 7);  // of two bytes
    for (auto& line : lines) line.details = details;
    auto all = submit(engine, std::move(lines));
    gate.open();
    all.get();
    return gate.wait_for_batches(2)[1].size();
  };
  EXPECT_EQ(batch_of({}), 7U);
  EXPECT_EQ(batch_of({.next_words = 1}), 2U);
  EXPECT_EQ(batch_of({.next_words = 2}), 1U);
  EXPECT_EQ(batch_of({.attention_target = "12345"}), 2U);
  EXPECT_EQ(batch_of({.next_words = 1, .prefix = "12"}), 1U);
}

TEST(Engine, SharesTheLinesOfARequestAmongIdleWorkers) {
  GatedLane gate;
  auto several = options(64);
  several.workers = 2;
  several.delay = 3600;  // until a batch is full
  Engine engine(several);
  auto result = submit(engine, numbered(gate, "a", 64));
  const auto batches = gate.wait_for_batches(2);
  EXPECT_EQ(batches[0].size() + batches[1].size(), 64U);
  EXPECT_EQ(std::max(batches[0].size(), batches[1].size()), 32U);
  gate.open();
  EXPECT_EQ(result.get().lines[63].text(), "[a63]");
}

TEST(Engine, RefusesLinesThatDoNotFitIntoTheQueue) {
  GatedLane gate;
  Engine engine(options(1));
  auto first = submit(engine, lines_of(gate, {"first"}));
  gate.wait_for_batches(1);
  EXPECT_EQ(status_of_submit(engine, numbered(gate, "a", 101)), 413) << "they would never fit";
  EXPECT_EQ(status_of_submit(engine, numbered(gate, "a", 60)), 200);
  EXPECT_EQ(status_of_submit(engine, numbered(gate, "b", 41)), 503);
  EXPECT_EQ(status_of_submit(engine, numbered(gate, "c", 40)), 200);
  EXPECT_EQ(engine.waiting(), 100U);
  gate.open();
}

TEST(Engine, CancelGivesTheWaitingLinesBack) {
  GatedLane gate;
  std::atomic<bool> called{false};
  Engine engine(options(2));
  const auto ticket =
      engine.submit(numbered(gate, "a", 50), [&](const Engine::Result&) { called = true; });
  gate.wait_for_batches(1);
  EXPECT_EQ(engine.waiting(), 48U);
  engine.cancel(ticket);
  engine.cancel(ticket);
  EXPECT_EQ(engine.waiting(), 0U);
  auto other = submit(engine, lines_of(gate, {"b"}));
  gate.open();
  EXPECT_EQ(other.get().lines[0].text(), "[b]");
  EXPECT_EQ(gate.wait_for_batches(2)[1], Batch{"b"});
  EXPECT_FALSE(called);
}

TEST(Engine, FailsOnlyTheRequestWhoseLineFails) {
  GatedLane gate;
  Engine engine(options(10));
  auto first = submit(engine, lines_of(gate, {"first"}));
  gate.wait_for_batches(1);
  auto good = submit(engine, numbered(gate, "g", 2));
  auto bad = submit(engine, lines_of(gate, {"fail", "x"}));
  gate.open();
  EXPECT_EQ(good.get().lines[1].text(), "[g1]");
  EXPECT_TRUE(bad.get().error);
  EXPECT_EQ(submit(engine, lines_of(gate, {"later"})).get().lines[0].text(), "[later]");
}

/// What a client does wrong is not logged, and the other requests of the batch do not notice.
TEST(Engine, ReturnsTheErrorOfALineWithoutTranslatingTheBatchAgain) {
  const CapturedLog log;
  GatedLane gate;
  Engine engine(options(10));
  auto first = submit(engine, lines_of(gate, {"first"}));
  gate.wait_for_batches(1);
  auto bad = submit(engine, lines_of(gate, {"a", "refuse", "b"}));
  auto good = submit(engine, lines_of(gate, {"c", "d"}));
  gate.open();
  EXPECT_EQ(good.get().lines[1].text(), "[d]");
  const auto result = bad.get();
  EXPECT_THROW(std::rethrow_exception(result.error), HttpError);
  EXPECT_THAT(result.lines, IsEmpty());
  EXPECT_THAT(gate.wait_for_batches(2),
              ElementsAre(Batch{"first"}, Batch{"a", "c", "refuse", "d", "b"}));
  EXPECT_EQ(log.text(), "");
}

/// A request that is refused gives its waiting lines back.
TEST(Engine, DropsTheLinesThatFollowAnError) {
  GatedLane gate(true);
  Engine engine(options(1));
  EXPECT_TRUE(submit(engine, lines_of(gate, {"refuse", "a", "b"})).get().error);
  EXPECT_EQ(submit(engine, lines_of(gate, {"c"})).get().lines[0].text(), "[c]");
  EXPECT_THAT(gate.wait_for_batches(2), ElementsAre(Batch{"refuse"}, Batch{"c"}));
}

TEST(Engine, DoesNotTranslateACancelledRequestAgainWhenABatchFails) {
  GatedLane busy;
  GatedLane gate;
  Engine engine(options(10));
  auto first = submit(engine, lines_of(busy, {"first"}));
  busy.wait_for_batches(1);
  auto failing = submit(engine, lines_of(gate, {"fail"}));
  const auto cancelled = engine.submit(lines_of(gate, {"a"}), [](const Engine::Result&) {});
  auto good = submit(engine, lines_of(gate, {"b"}));
  busy.open();
  gate.wait_for_batches(1);
  engine.cancel(cancelled);
  gate.open();
  EXPECT_EQ(good.get().lines[0].text(), "[b]");
  EXPECT_TRUE(failing.get().error);
  EXPECT_THAT(gate.wait_for_batches(3),
              ElementsAre(Batch{"fail", "a", "b"}, Batch{"fail"}, Batch{"b"}));
}

TEST(Engine, CompletesTheRunningBatchAtItsEnd) {
  GatedLane gate;
  std::future<Engine::Result> running;
  std::future<Engine::Result> waiting;
  {
    Engine engine(options(1));
    running = submit(engine, lines_of(gate, {"a"}));
    gate.wait_for_batches(1);
    waiting = submit(engine, lines_of(gate, {"b"}));
    gate.open();
  }
  EXPECT_EQ(running.get().lines[0].text(), "[a]");
}

TEST(Engine, AnswersRequestsOfManyThreads) {
  GatedLane gate(true);
  auto several = options(8);
  several.workers = 3;
  several.waiting_lines = 10'000;
  Engine engine(several);
  std::atomic<int> right{0};
  std::vector<std::thread> clients;
  for (int client = 0; client < 8; ++client) {
    clients.emplace_back([&engine, &gate, &right, client] {
      for (int i = 0; i < 50; ++i) {
        const auto name = std::to_string(client) + "-" + std::to_string(i) + "-";
        const auto result = submit(engine, numbered(gate, name, i % 7)).get();
        bool same = std::ssize(result.lines) == i % 7;
        for (std::size_t line = 0; line < result.lines.size(); ++line)
          same = same && result.lines[line].text() == "[" + name + std::to_string(line) + "]";
        right += same ? 1 : 0;
      }
    });
  }
  for (auto& client : clients) client.join();
  EXPECT_EQ(right, 8 * 50);
}

TEST(Engine, ReportsEachBatch) {
  GatedLane gate(true);
  std::vector<BatchReport> reports;
  {
    auto reporting = options(2);
    reporting.on_batch = [&reports](const BatchReport& report) { reports.push_back(report); };
    Engine engine(reporting);
    submit(engine, lines_of(gate, {"a", "b", "c"})).get();
  }
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].lines, 2U);
  EXPECT_EQ(reports[1].lines, 1U);
  EXPECT_GE(reports[1].waited, reports[0].seconds);
}

TEST(Engine, LinesWithDifferentTagsShareABatch) {
  GatedLane gate(true);
  Engine engine(options(2));
  const auto result =
      submit(engine, {{gate.lane(), "a", "<2en>"}, {gate.lane(), "a", "<2fr>"}}).get();
  EXPECT_THAT(result.lines,
              ElementsAre(LineTranslation{{"[<2en>a]"}}, LineTranslation{{"[<2fr>a]"}}));
  EXPECT_EQ(gate.wait_for_batches(1).size(), 1U);
}

TEST(Engine, ALineKeepsItsLaneAlive) {
  Engine engine(options(1));
  auto lane = std::make_shared<Lane>([](const std::vector<LaneLine>& lines) {
    return std::vector<LineTranslation>(lines.size(), LineTranslation{{"x"}});
  });
  std::vector<Engine::Line> lines{{std::move(lane), "a"}};
  EXPECT_EQ(submit(engine, std::move(lines)).get().lines.front().text(), "x");
}

}  // namespace
}  // namespace tfm
