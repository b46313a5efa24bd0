#include "tfm/search/forced_phrases.h"

#include <gmock/gmock.h>

#include "table_model.h"
#include "tfm/core/error.h"
#include "tfm/search/search.h"

namespace tfm {
namespace {

using testing::ElementsAre;

using Phrases = std::vector<Prefix>;

DecodingConfig beam_of(std::int64_t size, std::int64_t n_best = 1) {
  DecodingConfig config;
  config.beam_size = size;
  config.n_best = n_best;
  config.length_penalty = 0;
  return config;
}

SearchRequest forcing(const Phrases& phrases, std::int64_t max_length) {
  auto request = make_request({max_length});
  request.constraints = {{{}, phrases, {}}};
  return request;
}

/// Returns the progress after all tokens and the number of tokens still missing.
std::pair<Prefix, std::int64_t> read(const Phrases& phrases, const Prefix& tokens) {
  const ForcedPhrases forced(phrases);
  auto progress = forced.start();
  for (const std::int32_t token : tokens) progress = forced.advance(progress, token);
  return {progress, forced.tokens_remaining(progress)};
}

TEST(ForcedPhrases, ProgressCountsMatchedTokensAndResetsAfterAMismatch) {
  const Phrases phrases{{2, 3, 4}, {5}};
  EXPECT_EQ(read(phrases, {}), std::pair(Prefix({0, 0}), std::int64_t{4}));
  EXPECT_EQ(read(phrases, {2, 3}), std::pair(Prefix({2, 0}), std::int64_t{2}));
  EXPECT_EQ(read(phrases, {2, 3, 9}), std::pair(Prefix({0, 0}), std::int64_t{4}));
  EXPECT_EQ(read(phrases, {2, 3, 4, 9, 2}), std::pair(Prefix({3, 0}), std::int64_t{1}))
      << "a complete phrase stays complete";
  EXPECT_EQ(read(phrases, {2, 3, 4, 5}), std::pair(Prefix({3, 1}), std::int64_t{0}));
}

TEST(ForcedPhrases, ProgressFindsPhrasesThatOverlapAFailedMatch) {
  EXPECT_EQ(read({{2, 2, 3}}, {2, 2, 2}).first, Prefix({2})) << "the last two of three";
  EXPECT_EQ(read({{2, 2, 3}}, {2, 2, 2, 3}).second, 0);
  EXPECT_EQ(read({{2, 3, 2, 4}}, {2, 3, 2, 3, 2, 4}).second, 0);
  EXPECT_EQ(read({{2, 3}, {3, 4}}, {2, 3, 4}).second, 0) << "phrases may overlap";
}

TEST(ForcedPhrases, ProgressEqualsThatOfAFullScan) {
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    Phrases phrases(1 + random() % 3);
    for (auto& phrase : phrases) {
      for (auto length = 1 + random() % 4; length > 0; --length)
        phrase.push_back(static_cast<std::int32_t>(2 + random() % 2));
    }
    Prefix tokens;
    for (auto length = random() % 12; length > 0; --length)
      tokens.push_back(static_cast<std::int32_t>(2 + random() % 2));
    const auto [progress, missing] = read(phrases, tokens);
    for (std::size_t p = 0; p < phrases.size(); ++p) {
      std::size_t expected = phrases[p].size();
      if (!contains(tokens, phrases[p])) {
        while (expected > tokens.size() ||
               !std::equal(phrases[p].begin(),
                           phrases[p].begin() + static_cast<std::ptrdiff_t>(expected),
                           tokens.end() - static_cast<std::ptrdiff_t>(expected))) {
          --expected;
        }
      }
      EXPECT_EQ(progress[p], static_cast<std::int32_t>(expected));
    }
  }
}

/// Returns a random_table without impossible tokens.
TableModel::Table open_table(std::uint32_t seed, std::size_t vocab_size) {
  const auto table = random_table(seed, vocab_size);
  return [=](std::int32_t sentence, const Prefix& prefix) {
    auto row = table(sentence, prefix);
    for (float& value : row) value = std::max(value, -12.0F);
    return row;
  };
}

TEST(ForcedPhrases, SearchPutsAllPhrasesIntoEveryTranslation) {
  const std::vector<Phrases> cases{
      {{2}}, {{4, 5}, {3}}, {{2, 3, 2, 4}}, {{5, 5}, {5, 6}, {6}}, {{2, 3}, {3, 4}, {7, 2}}};
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    for (const Phrases& phrases : cases) {
      for (const std::int64_t beam : {1, 2, 5, 12}) {
        for (const std::int64_t length : {6, 7, 15}) {  // the last case has 6 phrase tokens
          TableModel model(8, 1, open_table(seed, 8));
          const auto found = search(model, forcing(phrases, length), beam_of(beam, beam))[0];
          ASSERT_FALSE(found.empty());
          for (const Hypothesis& hypothesis : found) {
            for (const Prefix& phrase : phrases)
              EXPECT_TRUE(contains(hypothesis.tokens, phrase))
                  << testing::PrintToString(hypothesis.tokens);
            EXPECT_LE(std::ssize(hypothesis.tokens), length);
            EXPECT_EQ(std::set<std::int32_t>(hypothesis.tokens.begin(), hypothesis.tokens.end())
                          .count(table_eos),
                      0u);
          }
        }
      }
    }
  }
}

/// Returns the log-probability of the most probable translation that contains all phrases and ends
/// with eos, found by enumerating all translations.
double best_of_all(const TableModel::Table& table, const Phrases& phrases, std::size_t max_length) {
  double best = -std::numeric_limits<double>::infinity();
  const std::function<void(const Prefix&, double)> visit = [&](const Prefix& prefix,
                                                               double log_prob) {
    const auto next = table(0, prefix);
    if (std::ranges::all_of(phrases,
                            [&](const Prefix& phrase) { return contains(prefix, phrase); }))
      best = std::max(best, log_prob + next[table_eos]);
    if (prefix.size() == max_length) return;
    for (std::int32_t token = 2; token < std::ssize(next); ++token) {
      Prefix longer = prefix;
      longer.push_back(token);
      visit(longer, log_prob + next[static_cast<std::size_t>(token)]);
    }
  };
  visit({}, 0);
  return best;
}

TEST(ForcedPhrases, LargeBeamFindsTheMostProbableTranslationWithAllPhrases) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const auto table = open_table(seed, 6);
    for (const Phrases& phrases : {Phrases{{3, 4}}, Phrases{{2}, {5}}, Phrases{{3, 3, 2}}}) {
      TableModel model(6, 1, table);
      const auto found = search(model, forcing(phrases, 4), beam_of(3000, 3000))[0];
      const auto ended = std::ranges::find_if(found, &Hypothesis::finished);
      ASSERT_NE(ended, found.end());
      EXPECT_NEAR(ended->log_prob, best_of_all(table, phrases, 4), 1e-5);
    }
  }
}

// Without constraints, the model produces "2". A forced 4 is more probable after 2 (0.6 * 0.3) than
// at the start (0.05).
TEST(ForcedPhrases, SearchPlacesAPhraseWhereItIsMostProbable) {
  TableModel model(5, 1,
                   written_table({{{}, {0, 0.05, 0.6, 0.3, 0.05}},
                                  {{2}, {0, 0.6, 0.05, 0.05, 0.3}},
                                  {{2, 4}, {0, 1, 0, 0, 0}}},
                                 5));
  EXPECT_THAT(search(model, forcing({{4}}, 5), beam_of(4))[0][0].tokens, ElementsAre(2, 4));
}

// The phrase is token 4, which is less probable than 2 as the first token. A beam of two that only
// favoured phrase tokens would replace "2 2", the start of the best translation, by continuations
// of "4".
TEST(ForcedPhrases, SearchKeepsPlacesForHypothesesWithoutThePhrase) {
  TableModel model(5, 1,
                   written_table({{{}, {0, 0, 0.9, 0, 0.1}},
                                  {{2}, {0, 0, 0.99, 0, 0.01}},
                                  {{2, 2}, {0, 0.1, 0, 0, 0.9}},
                                  {{4}, {0, 0, 0.5, 0.5, 0}},
                                  {{4, 2}, {0, 0.5, 0.5, 0, 0}},
                                  {{4, 3}, {0, 0.5, 0.5, 0, 0}}},
                                 5));
  EXPECT_THAT(search(model, forcing({{4}}, 5), beam_of(2))[0][0].tokens, ElementsAre(2, 2, 4));
}

TEST(ForcedPhrases, SearchPlacesPhrasesAfterThePrefix) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    TableModel model(7, 1, open_table(seed, 7));
    auto request = forcing({{3, 4}, {5}}, 7);
    request.constraints[0].prefix = {6, 2, 6};
    const auto found = search(model, request, beam_of(5, 5))[0];
    for (const Hypothesis& hypothesis : found) {
      EXPECT_THAT(Prefix(hypothesis.tokens.begin(), hypothesis.tokens.begin() + 3),
                  ElementsAre(6, 2, 6));
      EXPECT_TRUE(contains(hypothesis.tokens, {3, 4}));
    }
  }
}

TEST(ForcedPhrases, PrefixCanCompleteAPhrase) {
  TableModel model(5, 1, open_table(3, 5));
  auto request = forcing({{3, 4}}, 2);
  request.constraints[0].prefix = {3, 4};
  const auto found = search(model, request, beam_of(3, 3))[0];
  for (const Hypothesis& hypothesis : found) EXPECT_THAT(hypothesis.tokens, ElementsAre(3, 4));
}

TEST(ForcedPhrases, OverrideForbiddenPhrasesButNotImpossibleTokens) {
  auto request = forcing({{3, 4}}, 5);
  request.constraints[0].forbidden = {{4}};
  TableModel model(6, 1, open_table(3, 6));
  EXPECT_TRUE(contains(search(model, request, beam_of(4))[0][0].tokens, {3, 4}));
  TableModel impossible(4, 1, written_table({{{}, {0, 0.5, 0.5, 0}}}, 4));
  const auto found = search(impossible, forcing({{3}}, 4), beam_of(4))[0];
  ASSERT_FALSE(found.empty()) << "an impossible phrase must not make the search fail";
}

TEST(ForcedPhrases, SearchThrowsWhenPhrasesExceedTheMaximumLengthOrSamplingIsSet) {
  TableModel model(6, 1, open_table(3, 6));
  EXPECT_THROW(search(model, forcing({{2, 3}, {4, 5}}, 3), beam_of(4)), DataError);
  DecodingConfig sampling;
  sampling.sampling = true;
  EXPECT_THROW(search(model, forcing({{2}}, 3), sampling), ConfigError);
}

TEST(ForcedPhrases, SearchCompletesPhrasesBeforeAStopToken) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    auto request = forcing({{2, 5}}, 6);
    request.stop = 3;
    TableModel model(6, 1, open_table(seed, 6));
    const auto found = search(model, request, beam_of(6, 6))[0];
    for (const Hypothesis& hypothesis : found) {
      EXPECT_TRUE(contains(hypothesis.tokens, {2, 5}));
      const auto stop = std::ranges::find(hypothesis.tokens, 3);
      EXPECT_TRUE(stop == hypothesis.tokens.end() || stop == hypothesis.tokens.end() - 1);
    }
  }
}

}  // namespace
}  // namespace tfm
