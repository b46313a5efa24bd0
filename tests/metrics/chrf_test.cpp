#include "tfm/metrics/chrf.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden.h"
#include "tfm/core/error.h"
#include "tfm/metrics/references.h"

namespace tfm {
namespace {

using Lines = std::vector<std::string>;

constexpr double tolerance = 1e-10;

TEST(CorpusChrf, EqualsSacrebleuOnEveryGoldenCorpus) {
  ASSERT_GE(golden().at("corpora").size(), 220u);
  for (const auto& corpus : golden().at("corpora")) {
    SCOPED_TRACE(corpus.at("name").get<std::string>());
    EXPECT_NEAR(
        corpus_chrf(corpus.at("hypotheses").get<Lines>(), corpus.at("references").get<Lines>()),
        corpus.at("chrf2").get<double>(), tolerance);
  }
}

TEST(ChrfScore, EqualsThatOfSacrebleuWithSeveralReferencesAndWordNgrams) {
  for (const auto& corpus : options_golden().at("corpora")) {
    const auto hypotheses = corpus.at("hypotheses").get<Lines>();
    const auto references = corpus.at("references").get<References>();
    for (const std::int64_t word_order : {0, 1, 2}) {
      SCOPED_TRACE(fmt::format("{}, {}", corpus.at("name").get<std::string>(), word_order));
      const ChrfOptions options{.word_order = word_order};
      ChrfCounts sum;
      for (std::size_t i = 0; i < hypotheses.size(); ++i)
        sum += chrf_counts(hypotheses[i], references_of_line(references, i), options);
      const auto& expected = corpus.at("chrf").at(static_cast<std::size_t>(word_order));
      EXPECT_NEAR(chrf_score(sum), expected.at("score").get<double>(), tolerance);
      EXPECT_EQ(chrf_name(options), expected.at("name").get<std::string>());
      EXPECT_EQ(chrf_signature(options, references.size()),
                with_tfm_version(expected.at("signature")));
    }
  }
}

// The reference "a" has only n-grams of order 1. For "ab", precision is 1/2 and recall is 1, so F2
// is 5 * 0.5 / (4 * 0.5 + 1).
TEST(CorpusChrf, WeighsRecallMoreThanPrecision) {
  EXPECT_NEAR(corpus_chrf({"ab"}, {"a"}), 100 * 2.5 / 3, tolerance);
  EXPECT_GT(corpus_chrf({"abcdef"}, {"abc"}), corpus_chrf({"abc"}, {"abcdef"}));
}

TEST(CorpusChrf, IgnoresUnicodeWhiteSpace) {
  EXPECT_NEAR(corpus_chrf({"der\u00a0Hund\u3000bellt \t"}, {"derHund bellt"}), 100, tolerance);
}

TEST(CorpusChrf, CountsCodePointsNotBytes) {
  // "ä" and "ö" share their first UTF-8 byte, but no character.
  EXPECT_EQ(corpus_chrf({"ä"}, {"ö"}), 0);
}

TEST(CorpusChrf, ScoresBytesThatAreNotUtf8) {
  EXPECT_NEAR(corpus_chrf({"a\xff\xc3"}, {"a\xff\xc3"}), 100, tolerance);
}

TEST(CorpusChrf, IsZeroWithoutLines) { EXPECT_EQ(corpus_chrf({}, {}), 0); }

TEST(CorpusChrf, ThrowsForUnequalLineCounts) {
  EXPECT_THROW(corpus_chrf({"a"}, {"a", "b"}), DataError);
}

TEST(ChrfSignature, HasTheFormOfSacrebleu) {
  EXPECT_EQ(chrf_signature(), golden_signature("chrf_signature"));
}

}  // namespace
}  // namespace tfm
