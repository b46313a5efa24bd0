#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "random_lines.h"
#include "tfm/core/error.h"
#include "tfm/text/words.h"
#include "tfm/translate/scorer.h"
#include "tfm/translate/translator.h"
#include "tiny_model.h"

namespace tfm {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<float> log_probs(TranslationModel& model, const SentencePair& pair) {
  return Scorer({&model}, model.config.decoding).score({pair}).front().log_probs;
}

/// In the vocabulary of the tiny model, a token is a word.
TEST(TranslatorWords, HaveTheProbabilitiesOfTheScorerAndTheAlignment) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.beam_size = decoding.n_best = 2;
  const auto lines = random_lines(8, 7);
  const Translator translator(model, decoding);
  const auto plain = translator.translate(lines);
  const auto translations = translator.translate(lines, {.words = true});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t n = 0; n < translations[i].candidates.size(); ++n) {
      const auto& candidate = translations[i].candidates[n];
      EXPECT_EQ(candidate.text, plain[i].candidates[n].text);
      ASSERT_EQ(candidate.words.size(), split_words(candidate.text).size());
      const auto expected = log_probs(model, {lines[i], candidate.text});
      WordAlignment links;
      for (std::size_t word = 0; word < candidate.words.size(); ++word) {
        const auto& [text, probability, source] = candidate.words[word];
        EXPECT_EQ(text, split_words(candidate.text)[word]);
        EXPECT_NEAR(std::log(probability), expected[word], 1e-4);
        links.push_back({source, static_cast<std::int64_t>(word)});
      }
      std::ranges::sort(links);
      EXPECT_EQ(links, candidate.alignment);
    }
  }
}

TEST(TranslatorWords, AreEmptyIfTheTextHasMarkup) {
  auto model = tiny_model();
  const Translator translator(model, model.config.decoding);
  const auto translations =
      translator.translate({"<b>a</b> b c", "a b"}, {.words = true, .keep_markup = true});
  EXPECT_THAT(translations[0].candidates.front().words, IsEmpty());
  EXPECT_FALSE(translations[1].candidates.front().words.empty());
}

TEST(TranslatorWords, AreThoseOfTheTextAfterControlCharactersAreReplaced) {
  auto model = tiny_model(1, "a b c d e f g h i x\u2028y");
  const Translator translator(model, model.config.decoding);
  const auto found =
      translator.translate({"a b"}, {.constraints = {{"x\u2028y c", {}}}, .words = true}).front();
  const auto& candidate = found.candidates.front();
  EXPECT_THAT(candidate.text, StartsWith("x y c"));
  std::vector<std::string> words;
  for (const auto& word : candidate.words) words.push_back(word.text);
  EXPECT_THAT(words, ElementsAreArray(split_words(candidate.text)));
  ASSERT_GE(candidate.words.size(), 2U);
  EXPECT_EQ(candidate.words[0].probability, candidate.words[1].probability);
  EXPECT_EQ(candidate.words[0].source, candidate.words[1].source);
}

/// Returns the words that the model finds most probable after the prefix, best first. `prefix` is
/// empty or ends with a space.
std::vector<std::string> best_next_words(TranslationModel& model, const std::string& source,
                                         const std::string& prefix) {
  std::vector<std::pair<float, std::string>> words;
  for (const char letter : std::string("abcdefghij")) {
    const std::string word(1, letter);
    const auto all = log_probs(model, {source, prefix + word});
    words.emplace_back(all[all.size() - 2], word);  // the last one is that of eos
  }
  std::ranges::sort(words, std::greater<>());
  std::vector<std::string> sorted;
  for (const auto& [log_prob, word] : words) sorted.push_back(word);
  return sorted;
}

TEST(TranslatorNextWords, AreTheMostProbableOnesWithTheBestTranslationOfEach) {
  auto model = tiny_model();
  const Translator translator(model, model.config.decoding);
  const std::string source = "a b c d";
  for (const std::string prefix : {"", "e ", "e f g "}) {
    const auto found = translator.translate(
        {source}, {.constraints = {{prefix, {}}}, .words = true, .next_words = 3});
    const auto& candidates = found.front().candidates;
    ASSERT_EQ(candidates.size(), 3U);
    const auto expected = best_next_words(model, source, prefix);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto begin = prefix + expected[i];
      EXPECT_THAT(candidates[i].text, StartsWith(begin));
      const auto forced = translator.translate({source}, {.constraints = {{begin, {}}}});
      EXPECT_EQ(candidates[i].text, forced.front().text());
      EXPECT_EQ(candidates[i].words.size(), split_words(candidates[i].text).size());
    }
  }
}

TEST(TranslatorNextWords, FollowAPrefixAfterWhichTheTranslationWouldEnd) {
  auto model = tiny_model();
  const torch::NoGradGuard no_grad;
  model.network->named_parameters()["output.bias"][model.tokenizers.target->special().eos] = 100;
  const Translator translator(model, model.config.decoding);
  const auto found = translator.translate({"a b"}, {.constraints = {{"c", {}}}, .next_words = 2});
  std::vector<std::string> texts;
  for (const auto& candidate : found.front().candidates) texts.push_back(candidate.text);
  const auto words = best_next_words(model, "a b", "c ");
  EXPECT_THAT(texts, ElementsAreArray({"c " + words[0], "c " + words[1]}));
}

TEST(TranslatorNextWords, AreRefusedForALineOfSeveralSegments) {
  auto model = tiny_model();
  const Translator translator(model, model.config.decoding);
  try {
    translator.translate({"a", "a b c d e f g h i j a b c d e f"}, {.next_words = 2});
    ADD_FAILURE() << "the line was translated";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("line 2: the line is translated in several segments"));
  }
}

}  // namespace
}  // namespace tfm
