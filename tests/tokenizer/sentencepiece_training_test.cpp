#include "tfm/tokenizer/sentencepiece_training.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/tokenizer/sentencepiece_tokenizer.h"

namespace tfm {
namespace {

using testing::Contains;
using testing::ElementsAre;

class SentencePieceOptions : public testing::TestWithParam<SubwordAlgorithm> {
 protected:
  SentencePieceOptions() {
    config.algorithm = GetParam();
    config.vocab_size = 60;
    for (const char* word : {"garden", "window", "kitchen", "river", "mountain", "letter", "season",
                             "winter", "summer", "teacher", "student", "village", "street"}) {
      for (const char* other : {"green", "small", "quiet", "young", "broken"})
        lines.push_back(fmt::format("{} {} {} {}", other, word, word, other));
    }
  }

  std::vector<std::string> pieces(const std::string& text) const {
    const SentencePieceTokenizer tokenizer(train_sentencepiece({lines}, config));
    std::vector<std::string> found;
    for (const TokenId id : tokenizer.encode(text)) found.push_back(tokenizer.piece(id));
    return found;
  }

  std::vector<std::string> lines{"the year 1998 and 1998", "in 1998 the house was old",
                                 "the old house, 1998, and the year", "1998 was the year"};
  TokenizerConfig config;
};

INSTANTIATE_TEST_SUITE_P(Algorithms, SentencePieceOptions,
                         testing::Values(SubwordAlgorithm::bpe, SubwordAlgorithm::unigram),
                         [](const auto& info) {
                           return info.param == SubwordAlgorithm::bpe ? "Bpe" : "Unigram";
                         });

TEST_P(SentencePieceOptions, SplitDigitsMakesEveryDigitAToken) {
  for (int i = 0; i < 100; ++i) lines.emplace_back("1998 1998 1998");
  config.vocab_size = 50;
  EXPECT_THAT(pieces("1998"), Contains(testing::HasSubstr("1998"))) << "without the option";
  config.split_digits = true;
  EXPECT_THAT(pieces("1998"), ElementsAre("\u2581", "1", "9", "9", "8"));
}

TEST_P(SentencePieceOptions, SymbolsAreNeverSplit) {
  config.symbols = {"<num>", "a,b", "say\"so"};
  for (const auto& symbol : config.symbols)
    EXPECT_THAT(pieces("the " + symbol + " house"), Contains(symbol));
}

TEST_P(SentencePieceOptions, TextIsNeverEncodedToControlSymbols) {
  config.control_symbols = {"<ctrl>", "a,b"};
  lines.emplace_back("the <ctrl> and a,b");
  const SentencePieceTokenizer tokenizer(train_sentencepiece({lines}, config));
  for (const auto& symbol : config.control_symbols) {
    const auto id = find_piece(tokenizer, symbol);
    ASSERT_TRUE(id) << symbol;
    EXPECT_THAT(tokenizer.encode("the " + symbol + " house"), testing::Not(Contains(*id)));
    auto ids = tokenizer.encode("the house");
    ids.push_back(*id);
    EXPECT_EQ(tokenizer.decode(ids), "the house");
  }
}

TEST_P(SentencePieceOptions, NormalizationIsThatOfTheConfig) {
  lines.emplace_back("\uFB01ne \uFB01ne");  // the ligature "fi"
  const auto decoded = [&](const std::string& rule) {
    config.normalization = rule;
    const SentencePieceTokenizer tokenizer(train_sentencepiece({lines}, config));
    return tokenizer.decode(tokenizer.encode("\uFB01ne"));
  };
  EXPECT_EQ(decoded("nmt_nfkc"), "fine");
  EXPECT_EQ(decoded("identity"), "\uFB01ne");
  TemporaryFolder folder;
  // A rule of SentencePiece: the code points of a text, and those that replace them.
  EXPECT_EQ(decoded(folder.write("rules.tsv", "FB01\t66 69 65\n").string()), "fiene");
}

}  // namespace
}  // namespace tfm
