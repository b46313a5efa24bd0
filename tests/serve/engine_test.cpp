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

const EngineOptions one_worker{.workers = 1, .waiting_lines = 100};

TEST(Engine, ReturnsTheLinesOfARequestInOrder) {
  GatedLane gate(true);
  Engine engine(one_worker);
  const auto result = submit(engine, lines_of(gate, {"a", "b", "c"})).get();
  EXPECT_FALSE(result.error);
  EXPECT_THAT(result.lines, ElementsAre(LineTranslation{{"[a]"}}, LineTranslation{{"[b]"}},
                                        LineTranslation{{"[c]"}}));
  EXPECT_THAT(submit(engine, {}).get().lines, IsEmpty());
}

TEST(Engine, GivesEachRequestOneLinePerTurn) {
  GatedLane gate;
  Engine engine(one_worker);
  auto first = submit(engine, lines_of(gate, {"first"}));
  gate.wait_for_lines(1);  // the only worker is busy, so the next lines wait
  auto document = submit(engine, numbered(gate, "d", 5));
  auto shorter = submit(engine, numbered(gate, "s", 1));
  auto other = submit(engine, numbered(gate, "o", 2));
  gate.open();
  document.get(), shorter.get(), other.get();
  EXPECT_THAT(gate.wait_for_lines(9),
              ElementsAre("first", "d0", "s0", "o0", "d1", "o1", "d2", "d3", "d4"));
}

TEST(Engine, TranslatesAsManyLinesAtOnceAsItHasWorkers) {
  GatedLane gate;
  Engine engine({.workers = 3, .waiting_lines = 100});
  auto result = submit(engine, numbered(gate, "a", 5));
  gate.wait_for_lines(3);
  EXPECT_EQ(engine.waiting(), 2U);
  gate.open();
  EXPECT_EQ(result.get().lines[4].text(), "[a4]");
}

TEST(Engine, RefusesLinesThatDoNotFitIntoTheQueue) {
  GatedLane gate;
  Engine engine(one_worker);
  auto first = submit(engine, lines_of(gate, {"first"}));
  gate.wait_for_lines(1);
  EXPECT_EQ(status_of_submit(engine, numbered(gate, "a", 101)), 413) << "they would never fit";
  EXPECT_EQ(status_of_submit(engine, numbered(gate, "a", 60)), 200);
  EXPECT_EQ(status_of_submit(engine, numbered(gate, "b", 41)), 503);
  EXPECT_EQ(status_of_submit(engine, numbered(gate, "c", 40)), 200);
  EXPECT_EQ(engine.waiting(), 100U);
  gate.open();
}

TEST(Engine, CancelGivesTheWaitingLinesBackAndStopsTheOthers) {
  GatedLane gate;
  std::atomic<bool> called{false};
  Engine engine({.workers = 2, .waiting_lines = 100});
  const auto ticket =
      engine.submit(numbered(gate, "a", 50), [&](const Engine::Result&) { called = true; });
  gate.wait_for_lines(2);
  EXPECT_EQ(engine.waiting(), 48U);
  engine.cancel(ticket);
  engine.cancel(ticket);
  EXPECT_EQ(engine.waiting(), 0U);
  auto other = submit(engine, lines_of(gate, {"b"}));
  gate.open();
  EXPECT_EQ(other.get().lines[0].text(), "[b]");
  EXPECT_EQ(gate.wait_for_lines(3)[2], "b");
  EXPECT_GE(gate.stopped(), 1U) << "the worker that has translated b since has seen the stop";
  EXPECT_FALSE(called);
}

TEST(Engine, FailsOnlyTheRequestWhoseLineFails) {
  const CapturedLog log;
  GatedLane gate(true);
  Engine engine({.workers = 2, .waiting_lines = 100});
  auto good = submit(engine, numbered(gate, "g", 2));
  auto bad = submit(engine, lines_of(gate, {"fail", "x"}));
  EXPECT_EQ(good.get().lines[1].text(), "[g1]");
  EXPECT_TRUE(bad.get().error);
  EXPECT_EQ(submit(engine, lines_of(gate, {"later"})).get().lines[0].text(), "[later]");
  EXPECT_THAT(log.text(), testing::HasSubstr("a line fails"));
}

/// What a client does wrong is not logged.
TEST(Engine, ReturnsTheErrorOfALine) {
  const CapturedLog log;
  GatedLane gate(true);
  Engine engine(one_worker);
  const auto result = submit(engine, lines_of(gate, {"a", "refuse"})).get();
  EXPECT_THROW(std::rethrow_exception(result.error), HttpError);
  EXPECT_THAT(result.lines, IsEmpty());
  EXPECT_EQ(log.text(), "");
}

/// A request that is refused gives its waiting lines back.
TEST(Engine, DropsTheLinesThatFollowAnError) {
  GatedLane gate(true);
  Engine engine(one_worker);
  EXPECT_TRUE(submit(engine, lines_of(gate, {"refuse", "a", "b"})).get().error);
  EXPECT_EQ(submit(engine, lines_of(gate, {"c"})).get().lines[0].text(), "[c]");
  EXPECT_THAT(gate.wait_for_lines(2), ElementsAre("refuse", "c"));
}

TEST(Engine, LogsNoErrorOfALineThatIsNotNeeded) {
  const CapturedLog log;
  GatedLane gate;
  Engine engine(one_worker);
  const auto ticket = engine.submit(lines_of(gate, {"fail"}), [](const Engine::Result&) {});
  gate.wait_for_lines(1);
  engine.cancel(ticket);
  gate.open();
  submit(engine, lines_of(gate, {"a"})).get();
  EXPECT_EQ(log.text(), "");
}

TEST(Engine, CompletesTheRunningLineAtItsEnd) {
  GatedLane gate;
  std::future<Engine::Result> running;
  std::future<Engine::Result> waiting;
  {
    Engine engine(one_worker);
    running = submit(engine, lines_of(gate, {"a"}));
    gate.wait_for_lines(1);
    waiting = submit(engine, lines_of(gate, {"b"}));
    gate.open();
  }
  EXPECT_EQ(running.get().lines[0].text(), "[a]");
}

TEST(Engine, AnswersRequestsOfManyThreads) {
  GatedLane gate(true);
  Engine engine({.workers = 3, .waiting_lines = 10'000});
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

TEST(Engine, ReportsEachLine) {
  GatedLane gate(true);
  std::vector<LineReport> reports;
  {
    auto reporting = one_worker;
    reporting.on_line = [&reports](const LineReport& report) { reports.push_back(report); };
    Engine engine(reporting);
    submit(engine, lines_of(gate, {"a", "b", "c"})).get();
  }
  ASSERT_EQ(reports.size(), 3U);
  EXPECT_GE(reports[1].waited, reports[0].seconds);
}

TEST(Engine, GivesEachLineItsTag) {
  GatedLane gate(true);
  Engine engine(one_worker);
  const auto result =
      submit(engine, {{gate.lane(), "a", {"<2en>"}}, {gate.lane(), "a", {"<2fr>"}}}).get();
  EXPECT_THAT(result.lines,
              ElementsAre(LineTranslation{{"[<2en>a]"}}, LineTranslation{{"[<2fr>a]"}}));
}

TEST(Engine, ALineKeepsItsLaneAlive) {
  Engine engine(one_worker);
  auto lane = std::make_shared<Lane>([](const LaneLine&) { return LineTranslation{{"x"}}; });
  std::vector<Engine::Line> lines{{std::move(lane), "a"}};
  EXPECT_EQ(submit(engine, std::move(lines)).get().lines.front().text(), "x");
}

}  // namespace
}  // namespace tfm
