#include "tfm/serve/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "gated_lane.h"
#include "tfm/serve/http_message.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Batch = GatedLane::Batch;

std::vector<Engine::Line> lines_of(const std::vector<std::string>& texts, std::size_t lane = 0) {
  std::vector<Engine::Line> lines;
  for (const auto& text : texts) lines.push_back({lane, text});
  return lines;
}

/// Returns numbered lines: "a0", "a1".
std::vector<Engine::Line> numbered(const std::string& name, int count, std::size_t lane = 0) {
  std::vector<Engine::Line> lines;
  for (int i = 0; i < count; ++i) lines.push_back({lane, name + std::to_string(i)});
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
  Engine engine({gate.lane()}, options(2));
  const auto result = submit(engine, lines_of({"a", "b", "c"})).get();
  EXPECT_FALSE(result.error);
  EXPECT_THAT(result.lines,
              ElementsAre(LineCandidates{"[a]"}, LineCandidates{"[b]"}, LineCandidates{"[c]"}));
  EXPECT_THAT(submit(engine, {}).get().lines, IsEmpty());
}

TEST(Engine, GivesEachRequestOneLinePerTurn) {
  GatedLane gate;
  Engine engine({gate.lane()}, options(4));
  auto first = submit(engine, lines_of({"first"}));
  gate.wait_for_batches(1);  // the only worker is busy, so the next lines wait
  auto document = submit(engine, numbered("d", 9));
  auto shorter = submit(engine, numbered("s", 1));
  auto other = submit(engine, numbered("o", 2));
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
  Engine engine({gate.lane(), second.lane()}, options(4));
  auto first = submit(engine, lines_of({"first"}));
  gate.wait_for_batches(1);
  auto a = submit(engine, numbered("a", 2));
  auto b = submit(engine, numbered("b", 2, 1));
  auto c = submit(engine, numbered("c", 1));
  gate.open(), second.open();
  a.get(), b.get(), c.get();
  EXPECT_THAT(gate.wait_for_batches(2)[1], ElementsAre("a0", "c0", "a1"));
  EXPECT_THAT(second.wait_for_batches(1)[0], ElementsAre("b0", "b1"));
}

TEST(Engine, EndsABatchThatHasEnoughText) {
  GatedLane gate;
  auto small = options(10);
  small.batch_bytes = 4;
  Engine engine({gate.lane()}, small);
  auto first = submit(engine, lines_of({"first"}));
  gate.wait_for_batches(1);
  auto all = submit(engine, lines_of({"ab", "cd", "ef"}));
  gate.open();
  all.get();
  EXPECT_THAT(gate.wait_for_batches(3)[1], ElementsAre("ab", "cd"));
}

TEST(Engine, SharesTheLinesOfARequestAmongIdleWorkers) {
  GatedLane gate;
  auto several = options(64);
  several.workers = 2;
  several.delay = 3600;  // until a batch is full
  Engine engine({gate.lane()}, several);
  auto result = submit(engine, numbered("a", 64));
  const auto batches = gate.wait_for_batches(2);
  EXPECT_EQ(batches[0].size() + batches[1].size(), 64U);
  EXPECT_EQ(std::max(batches[0].size(), batches[1].size()), 32U);
  gate.open();
  EXPECT_EQ(result.get().lines[63].front(), "[a63]");
}

TEST(Engine, RefusesLinesThatDoNotFitIntoTheQueue) {
  GatedLane gate;
  Engine engine({gate.lane()}, options(1));
  auto first = submit(engine, lines_of({"first"}));
  gate.wait_for_batches(1);
  EXPECT_EQ(status_of_submit(engine, numbered("a", 101)), 413) << "they would never fit";
  EXPECT_EQ(status_of_submit(engine, numbered("a", 60)), 200);
  EXPECT_EQ(status_of_submit(engine, numbered("b", 41)), 503);
  EXPECT_EQ(status_of_submit(engine, numbered("c", 40)), 200);
  EXPECT_EQ(engine.waiting(), 100U);
  gate.open();
}

TEST(Engine, CancelGivesTheWaitingLinesBack) {
  GatedLane gate;
  std::atomic<bool> called{false};
  Engine engine({gate.lane()}, options(2));
  const auto ticket =
      engine.submit(numbered("a", 50), [&](const Engine::Result&) { called = true; });
  gate.wait_for_batches(1);
  EXPECT_EQ(engine.waiting(), 48U);
  engine.cancel(ticket);
  engine.cancel(ticket);
  EXPECT_EQ(engine.waiting(), 0U);
  auto other = submit(engine, lines_of({"b"}));
  gate.open();
  EXPECT_EQ(other.get().lines[0].front(), "[b]");
  EXPECT_EQ(gate.wait_for_batches(2)[1], Batch{"b"});
  EXPECT_FALSE(called);
}

TEST(Engine, FailsOnlyTheRequestWhoseLineFails) {
  GatedLane gate;
  Engine engine({gate.lane()}, options(10));
  auto first = submit(engine, lines_of({"first"}));
  gate.wait_for_batches(1);
  auto good = submit(engine, numbered("g", 2));
  auto bad = submit(engine, lines_of({"fail", "x"}));
  gate.open();
  EXPECT_EQ(good.get().lines[1].front(), "[g1]");
  EXPECT_TRUE(bad.get().error);
  EXPECT_EQ(submit(engine, lines_of({"later"})).get().lines[0].front(), "[later]");
}

TEST(Engine, CompletesTheRunningBatchAtItsEnd) {
  GatedLane gate;
  std::future<Engine::Result> running;
  std::future<Engine::Result> waiting;
  {
    Engine engine({gate.lane()}, options(1));
    running = submit(engine, lines_of({"a"}));
    gate.wait_for_batches(1);
    waiting = submit(engine, lines_of({"b"}));
    gate.open();
  }
  EXPECT_EQ(running.get().lines[0].front(), "[a]");
}

TEST(Engine, AnswersRequestsOfManyThreads) {
  GatedLane gate(true);
  auto several = options(8);
  several.workers = 3;
  several.waiting_lines = 10'000;
  Engine engine({gate.lane()}, several);
  std::atomic<int> right{0};
  std::vector<std::thread> clients;
  for (int client = 0; client < 8; ++client) {
    clients.emplace_back([&engine, &right, client] {
      for (int i = 0; i < 50; ++i) {
        const auto name = std::to_string(client) + "-" + std::to_string(i) + "-";
        const auto result = submit(engine, numbered(name, i % 7)).get();
        bool same = std::ssize(result.lines) == i % 7;
        for (std::size_t line = 0; line < result.lines.size(); ++line)
          same = same && result.lines[line].front() == "[" + name + std::to_string(line) + "]";
        right += same ? 1 : 0;
      }
    });
  }
  for (auto& client : clients) client.join();
  EXPECT_EQ(right, 8 * 50);
}

}  // namespace
}  // namespace tfm
