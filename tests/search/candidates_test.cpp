#include "tfm/search/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "search/table_model.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

/// Rows of random logits with many ties, and what a model returns with them.
struct Rows {
  std::vector<std::vector<float>> logits;
  std::vector<std::vector<float>> maxima;
  std::vector<std::vector<std::int32_t>> banned;
  std::vector<std::vector<ScoredToken>> penalized;
  std::vector<CandidateRow> rows;
};

Rows random_rows(std::mt19937& random, std::size_t count, std::int32_t vocab_size,
                 bool with_maxima) {
  Rows all;
  const auto number = [&](int limit) { return static_cast<int>(random() % limit); };
  for (std::size_t r = 0; r < count; ++r) {
    auto& logits = all.logits.emplace_back(vocab_size);
    for (float& logit : logits) logit = static_cast<float>(number(40)) / 4;
    auto& maxima = all.maxima.emplace_back();
    for (std::size_t at = 0; with_maxima && at < logits.size(); at += NextTokens::block_size)
      maxima.push_back(
          *std::max_element(logits.begin() + at,
                            logits.begin() + std::min(at + NextTokens::block_size, logits.size())));
    auto& banned = all.banned.emplace_back();
    for (int i = number(4); i > 0; --i) banned.push_back(number(vocab_size));
    std::set<std::int32_t> tokens;
    for (int i = number(4); i > 0; --i) tokens.insert(number(vocab_size));
    auto& penalized = all.penalized.emplace_back();
    for (const auto token : tokens)
      penalized.push_back({token, static_cast<float>(number(60)) / 4 - 10});
  }
  for (std::size_t r = 0; r < count; ++r) {
    CandidateRow row;
    row.log_prob = -number(3);
    row.next = NextTokens(all.logits[r], 9.75F, all.maxima[r]);
    row.banned = all.banned[r];
    row.penalized = all.penalized[r];
    all.rows.push_back(row);
  }
  return all;
}

/// Sorts all candidates of all rows.
std::vector<std::tuple<double, std::int32_t, std::int32_t>> sorted_candidates(
    const Rows& all, const std::set<std::int32_t>& forbidden) {
  std::vector<std::tuple<double, std::int32_t, std::int32_t>> candidates;
  for (std::size_t r = 0; r < all.rows.size(); ++r) {
    std::map<std::int32_t, float> scores;
    for (std::size_t i = 0; i < all.logits[r].size(); ++i)
      scores[static_cast<std::int32_t>(i)] = all.logits[r][i] - 9.75F;
    for (const auto& [token, log_prob] : all.penalized[r]) scores[token] = log_prob;
    for (const auto token : all.banned[r]) scores.erase(token);
    for (const auto token : forbidden) scores.erase(token);
    for (const auto& [token, log_prob] : scores)
      candidates.emplace_back(-(all.rows[r].log_prob + log_prob), r, token);
  }
  std::ranges::sort(candidates);
  return candidates;
}

TEST(CandidateSelector, TopKEqualsSortingAllCandidates) {
  std::mt19937 random(7);
  const std::set<std::int32_t> forbidden{0, 3};
  for (int trial = 0; trial < 300; ++trial) {
    const auto vocab_size = static_cast<std::int32_t>(5 + random() % 300);
    const bool greedy = trial % 3 == 0;
    const std::size_t rows = greedy ? 1 : 1 + random() % 4;
    const auto all = random_rows(random, rows, vocab_size, trial % 2 == 0);
    const auto expected = sorted_candidates(all, forbidden);
    const CandidateSelector selector(vocab_size, std::vector(forbidden.begin(), forbidden.end()));
    const std::size_t count = greedy ? 1 : 1 + random() % 12;
    const auto found = selector.top_k(all.rows, count);
    ASSERT_EQ(found.size(), std::min(count, expected.size()));
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto& [negative, row, token] = expected[i];
      EXPECT_EQ(found[i].log_prob, -negative) << "trial " << trial << ", rank " << i;
      EXPECT_EQ(found[i].row, row) << "trial " << trial << ", rank " << i;
      EXPECT_EQ(found[i].token, token) << "trial " << trial << ", rank " << i;
    }
  }
}

TEST(CandidateSelector, AllCandidatesAreThoseOfTopKInTokenOrder) {
  std::mt19937 random(8);
  for (int trial = 0; trial < 50; ++trial) {
    const auto vocab_size = static_cast<std::int32_t>(5 + random() % 300);
    const auto all = random_rows(random, 1, vocab_size, true);
    const CandidateSelector selector(vocab_size, std::vector<std::int32_t>{1});
    std::vector<std::pair<std::int32_t, double>> expected;
    for (const auto& each : selector.top_k(all.rows, 1000))
      expected.emplace_back(each.token, each.log_prob);
    std::ranges::sort(expected);
    std::vector<std::pair<std::int32_t, double>> found;
    for (const auto& each : selector.all_candidates(all.rows[0]))
      found.emplace_back(each.token, all.rows[0].log_prob + each.log_prob);
    EXPECT_EQ(found, expected);
  }
}

TEST(CandidateSelector, AForcedTokenIsTheOnlyCandidateOfItsRow) {
  const std::vector<float> logits{3, 2, -infinity, 0};
  CandidateRow row;
  row.next = NextTokens(logits);
  row.forced_token = 2;
  const std::vector<std::int32_t> banned{2};
  row.banned = banned;
  const CandidateSelector selector(4, std::vector<std::int32_t>{2});
  const auto found = selector.top_k({&row, 1}, 3);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].token, 2) << "even if it is banned, forbidden and impossible";
  ASSERT_EQ(selector.all_candidates(row).size(), 1U);
}

TEST(CandidateSelector, ThrowsForNumbersThatAreNotFinite) {
  const CandidateSelector selector(100, {});
  for (const float bad : {infinity, std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> logits(100, 1);
    logits[80] = bad;
    CandidateRow row;
    row.next = NextTokens(logits);
    EXPECT_THROW(selector.top_k({&row, 1}, 2), NonFiniteError);
    EXPECT_THROW(selector.all_candidates(row), NonFiniteError);
    logits[80] = 1;
    const std::vector<float> maxima(4, 1);
    row.next = NextTokens(logits, std::numeric_limits<float>::quiet_NaN(), maxima);
    for (const std::size_t count : {1, 2})
      EXPECT_THROW(selector.top_k({&row, 1}, count), NonFiniteError) << "the log-sum is NaN";
  }
}

}  // namespace
}  // namespace tfm
