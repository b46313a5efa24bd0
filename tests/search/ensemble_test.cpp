#include "tfm/search/ensemble.h"

#include <gmock/gmock.h>

#include "table_model.h"
#include "tfm/core/error.h"
#include "tfm/search/search.h"

namespace tfm {
namespace {

using Members = std::vector<std::unique_ptr<StepModel>>;

Members members(std::int64_t vocab_size, std::int32_t sentences,
                const std::vector<TableModel::Table>& tables) {
  Members result;
  for (const auto& table : tables)
    result.push_back(std::make_unique<TableModel>(vocab_size, sentences, table));
  return result;
}

/// Returns the log-probabilities [V] of the first row.
std::vector<float> row_of(const StepOutput& output) {
  std::vector<float> log_probs;
  const auto next = output.next(0);
  for (std::int32_t token = 0; token < next.size(); ++token)
    log_probs.push_back(next.log_prob(token));
  return log_probs;
}

std::vector<float> first_row(EnsembleMean mean,
                             const std::vector<std::vector<double>>& probabilities) {
  std::vector<TableModel::Table> tables;
  for (const auto& row : probabilities) tables.push_back(written_table({{{}, row}}, row.size()));
  EnsembleStepModel model(members(static_cast<std::int64_t>(probabilities[0].size()), 1, tables),
                          mean);
  const auto output =
      model.advance(std::vector<std::int32_t>{0}, std::vector<std::int32_t>{table_bos});
  return row_of(output);
}

TEST(EnsembleStepModel, AveragesProbabilities) {
  const auto row =
      first_row(EnsembleMean::probabilities, {{0, 0.2, 0.8}, {0, 0.6, 0.4}, {0, 1, 0}});
  EXPECT_EQ(row[0], -infinity);
  EXPECT_NEAR(row[1], std::log(1.8 / 3), 1e-6);
  EXPECT_NEAR(row[2], std::log(1.2 / 3), 1e-6);
}

TEST(EnsembleStepModel, AveragesLogProbabilitiesWhenConfigured) {
  const auto row =
      first_row(EnsembleMean::log_probabilities, {{0, 0.2, 0.8}, {0, 0.8, 0.2}, {0, 1, 0}});
  EXPECT_NEAR(row[1], std::log(0.2 * 0.8) / 3, 1e-6);
  EXPECT_EQ(row[2], -infinity) << "one member gives token 2 probability 0";
}

TEST(EnsembleStepModel, SmallProbabilitiesDoNotUnderflow) {
  const TableModel::Table tiny = [](std::int32_t, const Prefix&) {
    return std::vector<float>{-300, -200};
  };
  EnsembleStepModel model(members(2, 1, {tiny, tiny}), EnsembleMean::probabilities);
  const auto row =
      row_of(model.advance(std::vector<std::int32_t>{0}, std::vector<std::int32_t>{table_bos}));
  EXPECT_NEAR(row[0], -300, 1e-4);
  EXPECT_NEAR(row[1], -200, 1e-4);
}

// The members prefer different first words. The mean is highest for word 3, which both members rank
// second.
TEST(EnsembleStepModel, SearchFindsTheTranslationWithTheHighestMeanProbability) {
  const auto a = written_table({{{}, {0, 0, 0.55, 0.45, 0}}}, 5);
  const auto b = written_table({{{}, {0, 0, 0, 0.45, 0.55}}}, 5);
  EnsembleStepModel model(members(5, 1, {a, b}), EnsembleMean::probabilities);
  const auto best = search(model, make_request({3}), DecodingConfig())[0][0];
  EXPECT_EQ(best.tokens, Prefix{3});
  EXPECT_NEAR(best.log_prob, std::log(0.45), 1e-6);
}

TEST(EnsembleStepModel, SearchResultEqualsThatOfAModelWithTheMeanProbabilities) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const auto a = random_table(seed, 8);
    const auto b = random_table(seed + 100, 8);
    const TableModel::Table mean = [&](std::int32_t sentence, const Prefix& prefix) {
      auto row = a(sentence, prefix);
      const auto other = b(sentence, prefix);
      for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = std::log((std::exp(row[i]) + std::exp(other[i])) / 2);
      return row;
    };
    EnsembleStepModel ensemble(members(8, 3, {a, b}), EnsembleMean::probabilities);
    TableModel one(8, 3, mean);
    const auto together = search(ensemble, make_request({5, 2, 9}), DecodingConfig());
    const auto expected = search(one, make_request({5, 2, 9}), DecodingConfig());
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(together[i][0].tokens, expected[i][0].tokens);
      EXPECT_NEAR(together[i][0].log_prob, expected[i][0].log_prob, 1e-4);
    }
  }
}

TEST(EnsembleStepModel, SearchResultEqualsThatOfTheOnlyMember) {
  EnsembleStepModel ensemble(members(8, 2, {random_table(3, 8)}), EnsembleMean::probabilities);
  TableModel model(8, 2, random_table(3, 8));
  const auto a = search(ensemble, make_request({5, 5}), DecodingConfig());
  const auto b = search(model, make_request({5, 5}), DecodingConfig());
  for (std::size_t i = 0; i < 2; ++i) expect_same(a[i], b[i]);
}

TEST(EnsembleStepModel, AveragesAttentionOnlyWhenAllMembersProvideIt) {
  const auto model = [](std::vector<float> attention) {
    auto result = std::make_unique<TableModel>(2, 1, written_table({}, 2));
    if (!attention.empty())
      result->attention_table = [=](std::int32_t, const Prefix&) { return attention; };
    return result;
  };
  const std::vector<std::int32_t> parents{0};
  const std::vector<std::int32_t> tokens{table_bos};
  Members with_attention;
  with_attention.push_back(model({0.5F, 0.5F}));
  with_attention.push_back(model({1, 0}));
  EnsembleStepModel both(std::move(with_attention), EnsembleMean::probabilities);
  EXPECT_THAT(both.advance(parents, tokens).attention, testing::ElementsAre(0.75F, 0.25F));
  Members one;
  one.push_back(model({0.5F, 0.5F}));
  one.push_back(model({}));
  EnsembleStepModel partly(std::move(one), EnsembleMean::probabilities);
  EXPECT_TRUE(partly.advance(parents, tokens).attention.empty());
}

TEST(EnsembleStepModel, ThrowsWhenVocabulariesDifferInSizeOrThereIsNoMember) {
  Members different = members(4, 1, {random_table(1, 4)});
  different.push_back(std::make_unique<TableModel>(5, 1, random_table(1, 5)));
  EXPECT_THROW(EnsembleStepModel(std::move(different), EnsembleMean::probabilities), ModelError);
  EXPECT_THROW(EnsembleStepModel({}, EnsembleMean::probabilities), ModelError);
}

}  // namespace
}  // namespace tfm
