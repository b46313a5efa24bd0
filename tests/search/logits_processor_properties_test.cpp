#include <gtest/gtest.h>

#include "property.h"
#include "table_model.h"
#include "tfm/search/search.h"

namespace tfm {
namespace {

constexpr std::int32_t vocab_size = 8;
constexpr std::int64_t max_length = 7;

rc::Gen<Prefix> any_tokens(std::int32_t least, std::int32_t most) {
  return rc::gen::mapcat(rc::gen::inRange(least, most + 1), [](std::int32_t count) {
    return rc::gen::container<Prefix>(static_cast<std::size_t>(count),
                                      rc::gen::inRange(2, vocab_size));
  });
}

DecodingConfig any_config() {
  DecodingConfig config;
  config.sampling = *rc::gen::arbitrary<bool>();
  config.beam_groups = *rc::gen::inRange(1, 3);
  config.beam_size = config.beam_groups * *rc::gen::inRange(1, 4);
  config.n_best = *rc::gen::inRange<std::int64_t>(1, config.beam_size + 1);
  config.min_length = *rc::gen::inRange(0, 4);
  config.no_repeat_ngram_size = *rc::gen::inRange(0, 3);
  config.repetition_penalty = *rc::gen::element(1.0, 1.0, 1.5);
  return config;
}

/// Returns the translations that a search finds with a random table.
std::vector<Hypothesis> find_any(const SearchRequest& request, const DecodingConfig& config) {
  const auto seed = *rc::gen::inRange<std::uint32_t>(0, 1000);
  TableModel model(vocab_size, 1, random_table(seed, vocab_size));
  return search(model, request, config)[0];
}

bool has_phrase(std::span<const std::int32_t> tokens, const Prefix& phrase) {
  return !std::ranges::search(tokens, phrase).empty();
}

TEST(LogitsProcessorProperty, NeverAllowsAForbiddenTokenOrPhrase) {
  check_property([] {
    auto request = make_request({max_length});
    for (const std::int32_t token : *any_tokens(0, 3)) request.forbidden.push_back(token);
    const std::vector<Prefix> phrases{*any_tokens(1, 1), *any_tokens(1, 3), *any_tokens(2, 3)};
    request.constraints = {{{}, {}, phrases}};
    for (const Hypothesis& hypothesis : find_any(request, any_config())) {
      for (const std::int32_t token : request.forbidden)
        RC_ASSERT(!has_phrase(hypothesis.tokens, {token}));
      for (const Prefix& phrase : phrases) RC_ASSERT(!has_phrase(hypothesis.tokens, phrase));
    }
  });
}

TEST(LogitsProcessorProperty, KeepsThePrefixEvenIfItIsForbidden) {
  check_property([] {
    auto request = make_request({max_length});
    for (const std::int32_t token : *any_tokens(0, 3)) request.forbidden.push_back(token);
    const Prefix prefix = *any_tokens(0, max_length);
    request.constraints = {{prefix, {}, {*any_tokens(1, 2)}}};
    const auto found = find_any(request, any_config());
    RC_ASSERT(!found.empty());
    for (const Hypothesis& hypothesis : found) {
      RC_ASSERT(hypothesis.tokens.size() >= prefix.size());
      RC_ASSERT(std::ranges::equal(prefix, std::span(hypothesis.tokens).first(prefix.size())));
    }
  });
}

TEST(LogitsProcessorProperty, NeverRepeatsNgramsOfTheConfiguredSizeOrEndsBeforeTheMinimumLength) {
  check_property([] {
    auto config = any_config();
    config.no_repeat_ngram_size = *rc::gen::inRange(1, 4);
    const auto length = static_cast<std::size_t>(config.no_repeat_ngram_size);
    for (const Hypothesis& hypothesis : find_any(make_request({max_length}), config)) {
      const std::span<const std::int32_t> tokens(hypothesis.tokens);
      std::set<Prefix> seen;
      for (std::size_t i = 0; i + length <= tokens.size(); ++i) {
        const auto ngram = tokens.subspan(i, length);
        RC_ASSERT(seen.emplace(ngram.begin(), ngram.end()).second);
      }
      RC_ASSERT(!hypothesis.finished || std::ssize(tokens) >= config.min_length);
      RC_ASSERT(std::ssize(tokens) <= max_length);
    }
  });
}

}  // namespace
}  // namespace tfm
