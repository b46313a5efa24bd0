#include "tfm/search/sentence_search.h"

#include <gmock/gmock.h>

#include <deque>

#include "table_model.h"
#include "tfm/search/beam_search.h"
#include "tfm/search/greedy.h"
#include "tfm/search/sampling.h"

namespace tfm {
namespace {

using testing::ElementsAre;

constexpr std::int32_t vocab_size = 12;

/// Returns a row [V] in which every value is the same number instead of a log-probability. The
/// number identifies the sentence and its tokens so far.
std::vector<float> named_row(std::int32_t sentence, const Prefix& prefix) {
  float name = static_cast<float>(sentence + 1);
  for (const std::int32_t token : prefix) name = 10 * name + static_cast<float>(token);
  return std::vector<float>(vocab_size, name);
}

/// A search that requests the rows of a script and records the numbers (named_row) of the rows that
/// it receives.
class ScriptedSearch : public SentenceSearch {
 public:
  explicit ScriptedSearch(std::deque<std::vector<SearchRow>> script) : script_(std::move(script)) {}

  std::span<const SearchRow> rows() const override {
    return script_.empty() ? std::span<const SearchRow>() : script_.front();
  }
  void take(const StepOutput& output) override {
    ASSERT_EQ(output.rows, script_.front().size());
    names.emplace_back();
    for (std::size_t row = 0; row < output.rows; ++row) {
      ASSERT_EQ(output.next(row).size(), vocab_size);
      ASSERT_EQ(output.attention_row(row).size(), 2U);
      EXPECT_EQ(output.next(row).log_prob(0), output.attention_row(row).back());
      names.back().push_back(output.next(row).log_prob(vocab_size - 1));
    }
    script_.pop_front();
  }
  std::vector<Hypothesis> result() override { return {}; }

  std::vector<std::vector<float>> names;

 private:
  std::deque<std::vector<SearchRow>> script_;
};

/// Runs searches that begin together until they are finished.
void run_together(StepModel& model, const std::vector<std::unique_ptr<SentenceSearch>>& searches) {
  RunningSearches running(model);
  for (const auto& search : searches) running.join(*search);
  while (!running.empty()) running.step();
}

TEST(RunningSearches, PassesEachSearchTheOutputsOfItsOwnRows) {
  TableModel model(vocab_size, 3, named_row);
  model.attention_table = [](std::int32_t sentence, const Prefix& prefix) {
    return std::vector<float>(2, named_row(sentence, prefix).front());
  };
  std::vector<std::unique_ptr<SentenceSearch>> searches;
  const auto add = [&](std::deque<std::vector<SearchRow>> script) {
    searches.push_back(std::make_unique<ScriptedSearch>(std::move(script)));
    return static_cast<ScriptedSearch*>(searches.back().get());
  };
  const auto* grows = add({{{0, table_bos}}, {{0, 5}, {0, 6}}, {{1, 7}, {0, 8}, {1, 9}}});
  const auto* ends = add({{{0, table_bos}, {0, table_bos}}});
  const auto* shrinks = add({{{0, table_bos}, {0, table_bos}}, {{1, 4}}, {{0, 3}}, {{0, 2}}});
  run_together(model, searches);
  EXPECT_THAT(grows->names,
              ElementsAre(ElementsAre(1), ElementsAre(15, 16), ElementsAre(167, 158, 169)));
  EXPECT_THAT(ends->names, ElementsAre(ElementsAre(2, 2)));
  EXPECT_THAT(shrinks->names,
              ElementsAre(ElementsAre(3, 3), ElementsAre(34), ElementsAre(343), ElementsAre(3432)));
  EXPECT_THAT(model.calls,
              ElementsAre(std::set{0, 1, 2}, std::set{0, 2}, std::set{0, 2}, std::set{2}));
}

TEST(RunningSearches, DoesNotCallTheModelForSearchesWithoutRows) {
  TableModel model(vocab_size, 1, named_row);
  std::vector<std::unique_ptr<SentenceSearch>> searches;
  run_together(model, searches);
  searches.push_back(std::make_unique<ScriptedSearch>(std::deque<std::vector<SearchRow>>()));
  run_together(model, searches);
  EXPECT_TRUE(model.calls.empty());
}

/// A search that joins later gets the same outputs as from the start. The model reads a token
/// before the rows of some.
TEST(RunningSearches, PassesSearchesThatJoinLaterTheOutputsOfTheirOwnRows) {
  TableModel model(vocab_size, 1, named_row);
  model.attention_table = [](std::int32_t sentence, const Prefix& prefix) {
    return std::vector<float>(2, named_row(sentence, prefix).front());
  };
  using Script = std::deque<std::vector<SearchRow>>;
  ScriptedSearch first(
      Script{{{0, table_bos}, {0, table_bos}}, {{1, 4}, {0, 5}, {1, 6}}, {{2, 7}}});
  ScriptedSearch second(Script{{{0, 2}}, {{0, 3}, {0, 4}}, {{1, 5}}, {{0, 6}}});
  ScriptedSearch removed(Script{{{0, table_bos}}, {{0, 3}}, {{0, 4}}});
  ScriptedSearch none{Script()};
  ScriptedSearch last(Script{{{0, table_bos}}});
  RunningSearches running(model);
  running.join(first);
  running.step();
  for (auto* search : {&second, &removed, &none}) {
    model.join();
    running.join(*search, search == &second ? table_bos : -1);
  }
  running.step();
  running.remove(removed);
  model.join();
  running.join(last);
  while (!running.empty()) running.step();
  EXPECT_THAT(first.names,
              ElementsAre(ElementsAre(1, 1), ElementsAre(14, 15, 16), ElementsAre(167)));
  EXPECT_THAT(second.names, ElementsAre(ElementsAre(22), ElementsAre(223, 224), ElementsAre(2245),
                                        ElementsAre(22456)));
  EXPECT_THAT(removed.names, ElementsAre(ElementsAre(3)));
  EXPECT_THAT(last.names, ElementsAre(ElementsAre(5)));
  EXPECT_THAT(model.calls, ElementsAre(std::set{0}, std::set{0, 1, 2}, std::set{0, 1, 4},
                                       std::set{1}, std::set{1}, std::set{1}));
}

// A search holds only the state of its own sentence. Its result is therefore the same whether it
// starts together with the other sentence's search or three steps later.
TEST(SentenceSearch, ResultDoesNotDependOnWhenTheSearchStarts) {
  auto request = make_request({6, 9});
  request.streams = {3, 4};
  DecodingConfig config;
  config.n_best = 2;
  const SearchContext context(request, config, vocab_size);
  for (const auto make_search : {make_greedy_search, make_beam_search, make_sample_search}) {
    TableModel together(vocab_size, 2, random_table(5, vocab_size));
    const auto expected = run_searches(together, request, config, make_search);
    std::vector<TableModel> models(2, TableModel(vocab_size, 2, random_table(5, vocab_size)));
    std::vector<std::unique_ptr<SentenceSearch>> searches;
    for (std::size_t i = 0; i < 2; ++i) searches.push_back(make_search(context, i));
    const auto advance = [&](std::size_t i) {
      std::vector<std::int32_t> parents;
      std::vector<std::int32_t> tokens;
      for (const SearchRow& row : searches[i]->rows()) {
        parents.push_back(row.parent +
                          (models[i].calls.empty() ? static_cast<std::int32_t>(i) : 0));
        tokens.push_back(row.token);
      }
      if (!parents.empty()) searches[i]->take(models[i].advance(parents, tokens));
    };
    for (int step = 0; step < 14; ++step) {
      advance(0);
      if (step >= 3) advance(1);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_TRUE(searches[i]->rows().empty());
      expect_same(searches[i]->result(), expected[i]);
    }
  }
}

}  // namespace
}  // namespace tfm
