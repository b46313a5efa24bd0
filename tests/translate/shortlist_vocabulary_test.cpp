#include "tfm/translate/shortlist_vocabulary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tfm {
namespace {

SearchRequest request() {
  SearchRequest request;
  request.bos = 1;
  request.eos = 2;
  request.forbidden = {0, 1, 50};
  request.max_lengths = {5};
  request.constraints = {{.prefix = {40}, .forced = {{30, 31}}, .forbidden = {{20, 7}, {20, 99}}}};
  return request;
}

TEST(ShortlistVocabulary, AddsTheTokensThatTheRequestNeeds) {
  const ShortlistVocabulary local({20, 7, 20}, std::vector{request()}, 7);
  EXPECT_EQ(local.tokens(), (TokenIds{1, 2, 7, 20, 30, 31, 40}));
}

TEST(ShortlistVocabulary, IsPaddedToAMultipleOf512WithTheLowestIds) {
  TokenIds tokens(600);
  std::iota(tokens.begin(), tokens.end(), 5000);
  const ShortlistVocabulary local(tokens, std::vector{request()}, 10000);
  ASSERT_EQ(local.tokens().size(), 1024U);
  EXPECT_TRUE(std::ranges::is_sorted(local.tokens()));
  EXPECT_EQ(local.tokens()[423], 423)
      << "600 tokens, 5 of the request and the 419 lowest others: 0, 3, 4, ...";
  EXPECT_EQ(local.tokens()[424], 5000);
  const ShortlistVocabulary small({3}, std::vector{request()}, 50);
  EXPECT_EQ(small.tokens().size(), 50U) << "the whole vocabulary";
}

TEST(ShortlistVocabulary, ConvertsARequestToIndices) {
  const ShortlistVocabulary local({20, 7}, std::vector{request()}, 7);
  const auto places = local.to_shortlist(request());
  EXPECT_EQ(places.bos, 0);
  EXPECT_EQ(places.eos, 1);
  EXPECT_EQ(places.stop, -1);
  EXPECT_EQ(places.forbidden, (TokenIds{-1, 0, -1})) << "-1 for tokens outside the subset";
  EXPECT_EQ(places.constraints[0].prefix, TokenIds{6});
  EXPECT_EQ(places.constraints[0].forced, (std::vector<TokenIds>{{4, 5}}));
  EXPECT_EQ(places.constraints[0].forbidden, (std::vector<TokenIds>{{3, 2}}))
      << "token 99 is not in the subset, so its phrase cannot occur";
}

TEST(ShortlistVocabulary, ConvertsAResultBackToTokenIds) {
  const ShortlistVocabulary local({20, 7}, std::vector{request()}, 7);
  Hypothesis hypothesis;
  hypothesis.tokens = {2, 3, 6};
  hypothesis.alternatives = {{{4, -1.0F}, {0, -2.0F}}};
  const auto result = local.to_full({{hypothesis}});
  EXPECT_EQ(result[0][0].tokens, (TokenIds{7, 20, 40}));
  EXPECT_EQ(result[0][0].alternatives[0][0].token, 30);
  EXPECT_EQ(result[0][0].alternatives[0][1].token, 1);
}

}  // namespace
}  // namespace tfm
