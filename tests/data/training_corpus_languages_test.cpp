#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "begin_windows.h"
#include "tfm/tokenizer/word_tokenizer.h"

namespace tfm {
namespace {

/// Texts of equal pairs, in a vocabulary of their words, with modifiers that change every pair.
class CorpusOfTwoLanguages : public testing::Test {
 protected:
  static constexpr std::size_t pairs = 5;

  static ParallelText text_of(const std::string& source, const std::string& target) {
    ParallelText text;
    text.source.assign(pairs, source);
    text.target.assign(pairs, target);
    text.line.resize(pairs);
    std::iota(text.line.begin(), text.line.end(), 1);
    return text;
  }

  /// Returns the pairs of the first epoch, as the modifiers leave them.
  std::vector<TextPair> modified(const std::vector<ParallelText>& texts) const {
    const Vocab words({"<pad>", "<s>", "</s>", "<unk>", "bir", "iki", "this", "is"},
                      TokenizerConfig());
    const auto both = std::make_shared<const WordTokenizer>(words);
    const TokenizerPair tokenizers{both, both};
    TrainingCorpus corpus(texts, tokenizers, config);
    begin_epoch(corpus, 0);
    std::vector<TextPair> found;
    for (std::size_t i = 0; i < corpus.corpus().examples.size(); ++i)
      found.push_back(corpus.text_of(i)->modified.pair);
    return found;
  }

  Config config;
};

TEST_F(CorpusOfTwoLanguages, UsesTheLetterCaseOfTheLanguagesOfEachSet) {
  auto forward = text_of("bir iki", "this is");
  forward.set = "forward";
  forward.files = {"x.tr", "x.en", ""};
  auto backward = text_of("this is", "bir iki");
  backward.set = "backward";
  backward.files = {"x.en", "x.tr", ""};
  config.data.sets = {"forward=x.tr,x.en", "backward=x.en,x.tr"};
  config.data.modifiers = {"upper_case=1"};
  const auto found = modified({forward, backward});
  EXPECT_EQ(found.front(), (TextPair{"BİR İKİ", "THIS IS"}));
  EXPECT_EQ(found.back(), (TextPair{"THIS IS", "BİR İKİ"}));
}

TEST_F(CorpusOfTwoLanguages, UsesTheLetterCaseOfEachDirection) {
  config.data.train_source = "x.tr";
  config.data.train_target = "x.en";
  config.data.modifiers = {"upper_case=1"};
  const auto found = modified({with_reversed_pairs(text_of("bir iki", "this is"))});
  ASSERT_EQ(found.size(), 2 * pairs);
  EXPECT_EQ(found[pairs - 1], (TextPair{"BİR İKİ", "THIS IS"}));
  EXPECT_EQ(found[pairs], (TextPair{"THIS IS", "BİR İKİ"}));
}

TEST_F(CorpusOfTwoLanguages, MergesOnlyPairsOfTheSameDirection) {
  config.data.modifiers = {"merge=1"};
  const auto found = modified({with_reversed_pairs(text_of("bir", "this"))});
  ASSERT_EQ(found.size(), 2 * pairs);
  EXPECT_EQ(found[pairs - 1], (TextPair{"bir", "this"})) << "the direction's last pair";
  EXPECT_EQ(found.back(), (TextPair{"this", "bir"}));
  EXPECT_EQ(found[pairs - 2], (TextPair{"bir bir", "this this"}));
  EXPECT_EQ(found[2 * pairs - 2], (TextPair{"this this", "bir bir"}));
}

}  // namespace
}  // namespace tfm
