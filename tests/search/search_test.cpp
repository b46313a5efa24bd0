// Tests of choose_search and of invariance: a sentence's result does not depend on the other
// sentences of its batch or on the number of tokens that a model sends at once, for every kind of
// search and constraint.
#include "tfm/search/search.h"

#include <gmock/gmock.h>

#include "table_model.h"

namespace tfm {
namespace {

struct Case {
  std::string name;
  std::function<void(DecodingConfig&)> change;
  bool constraints = false;
  bool forced = false;
};

class SearchInvariance : public testing::TestWithParam<Case> {};

constexpr std::size_t vocab_size = 40;
const std::vector<std::int64_t> max_lengths{8, 6, 9, 12, 7, 9, 6, 15};

/// Returns the attention of a sentence's next step. One of the four source tokens, a different one
/// at each step, receives most of the attention.
std::vector<float> attention(std::int32_t sentence, const Prefix& prefix) {
  std::vector<float> row(4, 0.1F);
  row[(static_cast<std::size_t>(sentence) + prefix.size()) % 4] = 0.7F;
  return row;
}

SearchRequest request_for(const Case& what, const std::vector<std::int32_t>& sentences) {
  SearchRequest request = make_request({});
  request.alternatives = 2;
  for (const std::int32_t sentence : sentences) {
    request.max_lengths.push_back(max_lengths[static_cast<std::size_t>(sentence)]);
    request.streams.push_back(static_cast<std::uint64_t>(sentence));
    request.source_lengths.push_back(1 + sentence % 4);
    if (!what.constraints) continue;
    Constraints constraints;
    for (std::int32_t i = 0; i < sentence % 3; ++i) constraints.prefix.push_back(2 + sentence + i);
    if (what.forced && sentence % 2 == 0) constraints.forced = {{20 + sentence, 3}, {5}};
    constraints.forbidden = {{4}, {7, 8 + sentence}};
    request.constraints.push_back(constraints);
  }
  return request;
}

/// Searches with whole rows of tokens, or with the `top` most probable ones if `top` is above 0.
std::vector<std::vector<Hypothesis>> found(const Case& what, std::uint32_t seed,
                                           const std::vector<std::int32_t>& sentences,
                                           std::int64_t top = 0) {
  DecodingConfig config;
  config.n_best = 3;
  what.change(config);
  const auto table = random_table(seed, vocab_size);
  TableModel model(vocab_size, static_cast<std::int32_t>(sentences.size()),
                   [&](std::int32_t row, const Prefix& prefix) {
                     return table(sentences[static_cast<std::size_t>(row)], prefix);
                   });
  model.attention_table = [&](std::int32_t row, const Prefix& prefix) {
    return attention(sentences[static_cast<std::size_t>(row)], prefix);
  };
  TopTokensModel top_tokens(model, top);
  StepModel& chosen = top > 0 ? static_cast<StepModel&>(top_tokens) : model;
  return search(chosen, request_for(what, sentences), config);
}

TEST_P(SearchInvariance, ResultDoesNotDependOnTheOtherSentences) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<std::int32_t> everyone{0, 1, 2, 3, 4, 5, 6, 7};
    const std::vector<std::int32_t> some{6, 2, 7, 3};
    const auto together = found(GetParam(), seed, everyone);
    const auto in_part = found(GetParam(), seed, some);
    for (std::size_t i = 0; i < some.size(); ++i)
      expect_same(in_part[i], together[static_cast<std::size_t>(some[i])]);
    for (const std::int32_t i : everyone)
      expect_same(found(GetParam(), seed, {i})[0], together[static_cast<std::size_t>(i)]);
  }
}

TEST_P(SearchInvariance, ResultDoesNotDependOnHowManyTokensTheModelSendsAtOnce) {
  const std::vector<std::int32_t> sentences{0, 3, 4, 7};
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const auto expected = found(GetParam(), seed, sentences);
    for (const std::int64_t top : {1, 5, 20, 40}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << top << " tokens");
      const auto actual = found(GetParam(), seed, sentences, top);
      for (std::size_t i = 0; i < sentences.size(); ++i) {
        expect_same(actual[i], expected[i]);
        for (std::size_t j = 0; j < expected[i].size(); ++j)
          expect_same_alternatives(actual[i][j], expected[i][j]);
      }
    }
  }
}

TEST(CountInspectedTokens, AreEnoughForGreedyAndBeamSearch) {
  for (const std::int64_t beam : {1, 4, 8}) {
    for (const std::int64_t alternatives : {0, 12}) {
      for (const std::int32_t stop : {-1, 9}) {
        DecodingConfig config;
        config.beam_size = beam;
        auto request = make_request({9, 8, 7});
        request.alternatives = alternatives;
        request.stop = stop;
        TableModel whole(60, 3, random_table(5, 60));
        TopTokensModel model(whole, count_inspected_tokens(request, config));
        search(model, request, config);
        EXPECT_EQ(model.whole_rows, 0U) << beam << ", " << alternatives << ", " << stop;
      }
    }
  }
}

TEST(CountInspectedTokens, IsZeroWhenASearchMayLookAtAnyToken) {
  const auto count = [](const std::function<void(DecodingConfig&, SearchRequest&)>& change) {
    DecodingConfig config;
    auto request = make_request({9});
    change(config, request);
    return count_inspected_tokens(request, config);
  };
  EXPECT_GT(count([](auto&, auto&) {}), 0);
  EXPECT_EQ(count([](auto& config, auto&) { config.sampling = true; }), 0);
  EXPECT_EQ(count([](auto& config, auto&) { config.repetition_penalty = 1.1; }), 0);
  EXPECT_EQ(count([](auto& config, auto&) { config.beam_groups = 2; }), 0);
  EXPECT_EQ(count([](auto&, auto& request) { request.constraints.resize(1); }), 0);
}

TEST(ChooseSearch, ReturnsGreedyOnlyForABeamOfOneWithoutForcedPhrasesAndCoveragePenalty) {
  DecodingConfig config;
  EXPECT_EQ(choose_search(config, /*forces_phrases=*/false), SearchMethod::beam);
  config.beam_size = 1;
  EXPECT_EQ(choose_search(config, /*forces_phrases=*/false), SearchMethod::greedy);
  EXPECT_EQ(choose_search(config, /*forces_phrases=*/true), SearchMethod::beam);
  config.coverage_penalty = 0.5;
  EXPECT_EQ(choose_search(config, /*forces_phrases=*/false), SearchMethod::beam);
}

TEST(ChooseSearch, ReturnsSamplingIfDecodingSamplingIsSet) {
  DecodingConfig config;
  config.sampling = true;
  EXPECT_EQ(choose_search(config, /*forces_phrases=*/false), SearchMethod::sampling);
}

INSTANTIATE_TEST_SUITE_P(
    Search, SearchInvariance,
    testing::Values(Case{"Greedy", [](DecodingConfig& c) { c.beam_size = 1; }},  //
                    Case{"Beam", [](DecodingConfig&) {}},                        //
                    Case{"DiverseBeam", [](DecodingConfig& c) { c.beam_groups = 2; }},
                    Case{"Sampling", [](DecodingConfig& c) { c.sampling = true; }},
                    Case{"Nucleus",
                         [](DecodingConfig& c) {
                           c.sampling = true, c.sampling_topk = 9, c.sampling_topp = 0.8,
                           c.temperature = 0.7;
                         }},
                    Case{"Penalties",
                         [](DecodingConfig& c) {
                           c.repetition_penalty = 1.5, c.no_repeat_ngram_size = 2, c.min_length = 4,
                           c.coverage_penalty = 0.5;
                         }},
                    Case{"ConstrainedGreedy", [](DecodingConfig& c) { c.beam_size = 1; }, true},
                    Case{"ConstrainedBeam", [](DecodingConfig&) {}, true},
                    Case{"ConstrainedSampling", [](DecodingConfig& c) { c.sampling = true; }, true},
                    Case{"ForcedPhrases", [](DecodingConfig& c) { c.beam_size = 8; }, true, true},
                    Case{"ForcedPhrasesInGroups",
                         [](DecodingConfig& c) { c.beam_size = 8, c.beam_groups = 2; }, true,
                         true}),
    [](const auto& info) { return info.param.name; });

/// A search after a tag must be the search in the table without the tag.
TEST(Search, ReadsTheTargetTagBeforeTheTranslation) {
  constexpr std::int32_t tag = 2;
  constexpr std::int32_t size = 6;
  const auto table = random_table(3, size);
  for (const bool sampling : {false, true}) {
    for (const std::int64_t beam : {1, 3}) {
      DecodingConfig config;
      config.beam_size = beam;
      config.sampling = sampling;
      TableModel tagged(size, 2, table);
      auto request = make_request({5, 4});
      request.target_tags = {tag, tag};
      const auto found = search(tagged, request, config);
      TableModel plain(size, 2, [&](std::int32_t sentence, const Prefix& prefix) {
        Prefix after_tag{tag};
        after_tag.insert(after_tag.end(), prefix.begin(), prefix.end());
        return table(sentence, after_tag);
      });
      const auto expected = search(plain, make_request({5, 4}), config);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) expect_same(found[i], expected[i]);
    }
  }
}

}  // namespace
}  // namespace tfm
