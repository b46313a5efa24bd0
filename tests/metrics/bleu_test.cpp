#include "tfm/metrics/bleu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "golden.h"
#include "tfm/core/error.h"
#include "tfm/metrics/references.h"
#include "tfm/text/letter_case.h"

namespace tfm {
namespace {

using ::testing::ElementsAre;
using Lines = std::vector<std::string>;

constexpr double tolerance = 1e-10;

std::string tokenize_by_13a(std::string_view line) {
  return tokenize_for_bleu(line, BleuTokenizer::mteval_13a);
}

TEST(Tokenize13a, EqualsSacrebleuOnEveryGoldenLine) {
  ASSERT_GE(golden().at("corpora").size(), 220u);
  for (const auto& corpus : golden().at("corpora")) {
    SCOPED_TRACE(corpus.at("name").get<std::string>());
    for (const char* side : {"hypotheses", "references"}) {
      const auto lines = corpus.at(side).get<Lines>();
      const auto tokenized = corpus.at(std::string(side) + "_13a").get<Lines>();
      for (std::size_t i = 0; i < lines.size(); ++i)
        EXPECT_EQ(tokenize_by_13a(lines[i]), tokenized[i]) << lines[i];
    }
  }
}

TEST(Tokenize13a, FollowsTheRulesOfMtevalV13a) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"Hello, world!", "Hello , world !"},
      {"1,000.50 costs 5.", "1,000.50 costs 5 ."},
      {"1990-1995 well-known", "1990 - 1995 well-known"},
      {"don't (stop)", "don't ( stop )"},
      {"&quot;A &amp; B&quot; &lt;", "\" A & B \" <"},
      {"a<skipped>b", "ab"},
      {" \t ", ""},
      {"", ""},
  };
  for (const auto& [line, expected] : table) EXPECT_EQ(tokenize_by_13a(line), expected);
}

TEST(Tokenize13a, KeepsBytesThatAreNotUtf8) {
  EXPECT_EQ(tokenize_by_13a("a\xff. \xe4\xb8 b\xc3"), "a\xff . \xe4\xb8 b\xc3");
}

TEST(Lowercase, EqualsStrLowerOfPython) {
  const auto& pairs = options_golden().at("lowercase");
  ASSERT_GE(pairs.size(), 80U);
  for (const auto& pair : pairs) {
    const auto text = pair.at(0).get<std::string>();
    EXPECT_EQ(lowercase(text), pair.at(1).get<std::string>()) << text;
  }
}

TEST(CorpusBleu, EqualsSacrebleuOnEveryGoldenCorpus) {
  for (const auto& corpus : golden().at("corpora")) {
    SCOPED_TRACE(corpus.at("name").get<std::string>());
    const BleuScore bleu =
        corpus_bleu(corpus.at("hypotheses").get<Lines>(), corpus.at("references").get<Lines>());
    const auto& expected = corpus.at("bleu");
    EXPECT_EQ(bleu.format(), expected.at("printed").get<std::string>());
    EXPECT_NEAR(bleu.score, expected.at("score").get<double>(), tolerance);
    EXPECT_NEAR(bleu.brevity_penalty, expected.at("bp").get<double>(), tolerance);
    EXPECT_EQ(bleu.hypothesis_length, expected.at("sys_len").get<std::int64_t>());
    EXPECT_EQ(bleu.reference_length, expected.at("ref_len").get<std::int64_t>());
    EXPECT_EQ(bleu.matches, (expected.at("counts").get<std::array<std::int64_t, 4>>()));
    EXPECT_EQ(bleu.totals, (expected.at("totals").get<std::array<std::int64_t, 4>>()));
    const auto precisions = expected.at("precisions").get<std::array<double, 4>>();
    for (std::size_t i = 0; i < precisions.size(); ++i)
      EXPECT_NEAR(bleu.precisions[i], precisions[i], tolerance) << "order " << i + 1;
  }
}

TEST(CorpusBleu, EqualsSacrebleuWhenTheTokenizerIsNone) {
  for (const auto& corpus : golden().at("corpora")) {
    SCOPED_TRACE(corpus.at("name").get<std::string>());
    const BleuScore bleu =
        corpus_bleu(corpus.at("hypotheses").get<Lines>(), corpus.at("references").get<Lines>(),
                    {.tokenizer = BleuTokenizer::none});
    EXPECT_EQ(bleu.format(), corpus.at("bleu_none").get<std::string>());
  }
}

BleuScore score_by_references(const Lines& hypotheses, const References& references,
                              const BleuOptions& options = {}) {
  BleuCounts corpus;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    corpus += bleu_counts(hypotheses[i], references_of_line(references, i), options);
  return bleu_score(corpus);
}

TEST(BleuScore, EqualsThatOfSacrebleuWithSeveralReferencesAndIgnoredCase) {
  ASSERT_GE(options_golden().at("corpora").size(), 30U);
  for (const auto& corpus : options_golden().at("corpora")) {
    SCOPED_TRACE(corpus.at("name").get<std::string>());
    const auto hypotheses = corpus.at("hypotheses").get<Lines>();
    const auto references = corpus.at("references").get<References>();
    for (const bool lowercase : {false, true}) {
      const BleuOptions options{.lowercase = lowercase};
      const auto& expected = corpus.at(lowercase ? "bleu_lowercase" : "bleu");
      const auto bleu = score_by_references(hypotheses, references, options);
      EXPECT_EQ(bleu.format(), expected.at("printed").get<std::string>());
      EXPECT_NEAR(bleu.score, expected.at("score").get<double>(), tolerance);
      EXPECT_EQ(bleu_signature(options, references.size()),
                with_tfm_version(expected.at("signature")));
    }
  }
}

TEST(BleuScore, DoesNotDependOnTheOrderOfReferences) {
  for (const auto& corpus : options_golden().at("corpora")) {
    SCOPED_TRACE(corpus.at("name").get<std::string>());
    const auto hypotheses = corpus.at("hypotheses").get<Lines>();
    auto references = corpus.at("references").get<References>();
    const auto before = score_by_references(hypotheses, references);
    std::ranges::reverse(references);
    EXPECT_EQ(score_by_references(hypotheses, references).format(), before.format());
  }
}

TEST(CorpusBleu, ClipsMatchesLikePapineniEtAl) {
  const BleuScore bleu = corpus_bleu({"the the the the the the the"}, {"the cat is on the mat"});
  EXPECT_EQ(bleu.matches[0], 2);
  EXPECT_EQ(bleu.totals[0], 7);
}

TEST(CorpusBleu, PenalisesAShortHypothesis) {
  const BleuScore bleu = corpus_bleu({"a b c d e f"}, {"a b c d e f g h"});
  EXPECT_THAT(bleu.precisions, ElementsAre(100, 100, 100, 100));
  EXPECT_NEAR(bleu.score, 100 * std::exp(1 - 8. / 6.), tolerance);
}

TEST(CorpusBleu, PoolsTheCountsOfAllLines) {
  const BleuScore bleu = corpus_bleu({"a b c d", "x"}, {"a b c d", "y"});
  EXPECT_THAT(bleu.matches, ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(bleu.totals, ElementsAre(5, 3, 2, 1));
}

TEST(CorpusBleu, IsZeroWithoutLines) { EXPECT_EQ(corpus_bleu({}, {}).score, 0); }

TEST(CorpusBleu, ThrowsForUnequalLineCounts) {
  try {
    corpus_bleu({"a", "b"}, {"a"});
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("2 hypotheses but 1 reference"));
  }
}

TEST(BleuSignature, HasTheFormOfSacrebleu) {
  EXPECT_EQ(bleu_signature(), golden_signature("bleu_signature"));
  EXPECT_EQ(bleu_signature({.tokenizer = BleuTokenizer::none}),
            golden_signature("bleu_none_signature"));
}

}  // namespace
}  // namespace tfm
