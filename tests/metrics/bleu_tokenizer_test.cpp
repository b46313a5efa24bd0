#include "tfm/metrics/bleu_tokenizer.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "golden.h"
#include "tfm/metrics/bleu.h"

namespace tfm {
namespace {

using Lines = std::vector<std::string>;

const std::map<std::string, BleuTokenizer> all_tokenizers = {
    {"13a", BleuTokenizer::mteval_13a}, {"zh", BleuTokenizer::zh},
    {"char", BleuTokenizer::character}, {"intl", BleuTokenizer::intl},
    {"none", BleuTokenizer::none},
};

TEST(BleuTokenizer, TokensEqualThoseOfSacrebleu) {
  for (const auto& corpus : tokenizer_golden().at("corpora")) {
    const auto references = corpus.at("references").get<Lines>();
    for (const auto& [name, tokenizer] : all_tokenizers) {
      if (tokenizer == BleuTokenizer::none) continue;  // the golden file has no tokens for `none`
      SCOPED_TRACE(corpus.at("name").get<std::string>() + " by " + name);
      const auto expected = corpus.at("tokenizers").at(name).at("references").get<Lines>();
      for (std::size_t i = 0; i < references.size(); ++i)
        EXPECT_EQ(tokenize_for_bleu(references[i], tokenizer), expected[i]) << references[i];
    }
  }
}

TEST(BleuTokenizer, BleuEqualsThatOfSacrebleuForEveryTokenizer) {
  ASSERT_GE(tokenizer_golden().at("corpora").size(), 20U);
  for (const auto& corpus : tokenizer_golden().at("corpora")) {
    for (const auto& [name, tokenizer] : all_tokenizers) {
      SCOPED_TRACE(corpus.at("name").get<std::string>() + " by " + name);
      const auto bleu = corpus_bleu(corpus.at("hypotheses").get<Lines>(),
                                    corpus.at("references").get<Lines>(), {.tokenizer = tokenizer});
      const auto& expected = corpus.at("tokenizers").at(name);
      EXPECT_EQ(bleu.format(), expected.at("printed").get<std::string>());
      EXPECT_NEAR(bleu.score, expected.at("score").get<double>(), 1e-10);
    }
  }
}

TEST(BleuTokenizer, SignaturesHaveTheFormOfSacrebleu) {
  for (const auto& [name, tokenizer] : all_tokenizers) {
    EXPECT_EQ(bleu_signature({.tokenizer = tokenizer}),
              with_tfm_version(tokenizer_golden().at("signatures").at(name)));
  }
}

TEST(BleuTokenizer, KeepsBytesThatAreNotUtf8) {
  for (const auto& [name, tokenizer] : all_tokenizers) {
    const auto tokens = tokenize_for_bleu("a\xff b\xc3", tokenizer);
    EXPECT_EQ(tokens, name == "char" ? "a \xff b \xc3" : "a\xff b\xc3") << name;
  }
}

TEST(BleuTokenizer, ThrowsIfTheTokenizerIsAutomatic) {
  EXPECT_THROW(tokenize_for_bleu("a", BleuTokenizer::automatic), std::logic_error);
}

BleuTokenizer automatic_for(const Lines& references) {
  return resolve_bleu_tokenizer(BleuTokenizer::automatic, references);
}

TEST(ResolveBleuTokenizer, ReturnsTheTokenizerThatFitsTheScript) {
  EXPECT_EQ(automatic_for({"A sentence.", "Ein Satz."}), BleuTokenizer::mteval_13a);
  EXPECT_EQ(automatic_for({"한국어 문장입니다."}), BleuTokenizer::mteval_13a);
  EXPECT_EQ(automatic_for({"我喜欢吃苹果。"}), BleuTokenizer::zh);
  EXPECT_EQ(automatic_for({"東京は日本の首都です。"}), BleuTokenizer::character);
  EXPECT_EQ(automatic_for({"カタカナ"}), BleuTokenizer::character);
  EXPECT_EQ(automatic_for({"สวัสดีชาวโลก"}), BleuTokenizer::character);
  EXPECT_EQ(automatic_for({"ສະບາຍດີ"}), BleuTokenizer::character);
  EXPECT_EQ(automatic_for({"សួស្តី"}), BleuTokenizer::character);
  EXPECT_EQ(automatic_for({"မင်္ဂလာပါ"}), BleuTokenizer::character);
}

TEST(ResolveBleuTokenizer, IgnoresQuotedWordsOfOtherScripts) {
  EXPECT_EQ(automatic_for({"The word 漢字 means Chinese characters."}), BleuTokenizer::mteval_13a);
  EXPECT_EQ(automatic_for({"使用GPU训练Transformer模型，需要三个小时"}), BleuTokenizer::zh);
  EXPECT_EQ(automatic_for({"我喜欢吃苹果，也喜欢喝茶，他住在北京，她说「の」"}), BleuTokenizer::zh);
}

TEST(ResolveBleuTokenizer, Returns13aIfFewerThanAQuarterOfTheCharactersAreChinese) {
  EXPECT_EQ(automatic_for({"漢 abc"}), BleuTokenizer::zh);
  EXPECT_EQ(automatic_for({"漢 abcd"}), BleuTokenizer::mteval_13a);
}

TEST(ResolveBleuTokenizer, CountsTheCharactersOfAllLines) {
  EXPECT_EQ(automatic_for({"", "English", "我喜欢吃苹果，也喜欢喝茶"}), BleuTokenizer::zh);
  EXPECT_EQ(automatic_for({}), BleuTokenizer::mteval_13a);
  EXPECT_EQ(automatic_for({"", " "}), BleuTokenizer::mteval_13a);
}

TEST(ResolveBleuTokenizer, KeepsAnExplicitChoice) {
  for (const auto& [name, tokenizer] : all_tokenizers)
    EXPECT_EQ(resolve_bleu_tokenizer(tokenizer, {"我喜欢吃苹果。"}), tokenizer) << name;
}

}  // namespace
}  // namespace tfm
