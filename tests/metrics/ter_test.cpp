#include "tfm/metrics/ter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "golden.h"
#include "metrics/tokenizers.h"
#include "metrics/translation_edits.h"
#include "property.h"
#include "tfm/core/error.h"
#include "tfm/metrics/references.h"

namespace tfm {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

TEST(CorpusTer, EqualsSacrebleuOnEveryGoldenCorpus) {
  ASSERT_GE(golden().at("corpora").size(), 220u);
  for (const auto& corpus : golden().at("corpora")) {
    SCOPED_TRACE(corpus.at("name").get<std::string>());
    EXPECT_EQ(
        corpus_ter(corpus.at("hypotheses").get<Lines>(), corpus.at("references").get<Lines>()),
        corpus.at("ter").get<double>());
  }
}

TEST(TerCounts, EqualThoseOfSacrebleuOnHardLines) {
  ASSERT_GE(ter_golden().at("lines").size(), 90u);
  for (const auto& line : ter_golden().at("lines")) {
    SCOPED_TRACE(line.at("name").get<std::string>());
    const auto references = line.at("references").get<Lines>();
    const auto counts = ter_counts(line.at("hypothesis").get<std::string>(),
                                   {references.begin(), references.end()});
    EXPECT_EQ(counts.edits, line.at("edits").get<std::int64_t>());
    EXPECT_EQ(counts.reference_length, line.at("reference_length").get<double>());
    EXPECT_EQ(ter_score(counts), line.at("score").get<double>());
  }
}

TerOptions options_from(const json& options) {
  return {.normalized = options.at("normalized").get<bool>(),
          .no_punct = options.at("no_punct").get<bool>(),
          .asian_support = options.at("asian_support").get<bool>(),
          .case_sensitive = options.at("case_sensitive").get<bool>()};
}

TEST(TokenizeTercom, EqualsSacrebleuWithAllOptions) {
  const auto texts = ter_golden().at("texts").get<Lines>();
  ASSERT_EQ(ter_golden().at("options").size(), 16u);
  for (const auto& each : ter_golden().at("options")) {
    SCOPED_TRACE(each.at("options").dump());
    for (std::size_t i = 0; i < texts.size(); ++i)
      EXPECT_EQ(tokenize_tercom(texts[i], options_from(each.at("options"))),
                each.at("tokens")[i].get<std::string>());
  }
}

TEST(TokenizeTercom, KeepsBytesThatAreNotUtf8) {
  EXPECT_EQ(tokenize_tercom("A\xff. B\xc3", {}), "a\xff. b\xc3");
  EXPECT_EQ(tokenize_tercom("a\xff. \xe4\xb8",
                            {.normalized = true, .no_punct = true, .asian_support = true}),
            "a\xff \xe4\xb8");
}

TEST(TerScore, EqualsThatOfSacrebleuWithAllOptionsAndSeveralReferences) {
  const auto texts = ter_golden().at("texts").get<Lines>();
  const auto references = ter_golden().at("references").get<References>();
  for (const auto& each : ter_golden().at("options")) {
    SCOPED_TRACE(each.at("options").dump());
    const auto options = options_from(each.at("options"));
    TerCounts sum;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto line = ter_counts(texts[i], references_of_line(references, i), options);
      EXPECT_EQ(json({line.edits, line.reference_length}), each.at("lines")[i]) << texts[i];
      sum += line;
    }
    EXPECT_EQ(ter_score(sum), each.at("score").get<double>());
    EXPECT_EQ(ter_signature(options, references.size()), with_tfm_version(each.at("signature")));
  }
}

// Figure 1 of Snover et al. 2006: a move, an insertion and two replacements, for 13 words.
TEST(CorpusTer, CountsTheEditsOfTheExampleOfSnoverEtAl) {
  EXPECT_DOUBLE_EQ(
      corpus_ter({"THIS WEEK THE SAUDIS denied information published in the new york times"},
                 {"SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york "
                  "times"}),
      100 * 4. / 13);
}

TEST(CorpusTer, CountsAMoveOfABlockAsOneEdit) {
  EXPECT_DOUBLE_EQ(corpus_ter({"d e a b c"}, {"a b c d e"}), 100 * 1. / 5);
}

TEST(CorpusTer, DividesTheEditsOfAllLinesByTheWordsOfAllReferences) {
  EXPECT_DOUBLE_EQ(corpus_ter({"a", "a b c"}, {"x y", "a b c d e f"}), 100 * 5. / 8);
}

TEST(CorpusTer, IsZeroWithoutLinesAndThrowsForUnequalLineCounts) {
  EXPECT_EQ(corpus_ter({}, {}), 0);
  EXPECT_THROW(corpus_ter({"a"}, {"a", "b"}), DataError);
}

TEST(TerCounts, TakeTheFewestEditsAndTheMeanLengthOfTheReferences) {
  EXPECT_EQ(ter_counts("a b c", {"x y z w", "a b c", ""}),
            (TerCounts{.edits = 0, .reference_length = 7. / 3}));
}

TEST(TerSignature, HasTheFormOfSacrebleu) {
  EXPECT_EQ(ter_signature(), golden_signature("ter_signature"));
}

/// Returns a generator of texts with up to `length` words of a small vocabulary.
rc::Gen<std::u32string> word_numbers(int length) {
  return rc::gen::resize(length,
                         rc::gen::container<std::u32string>(rc::gen::inRange<char32_t>(0, 6)));
}

/// Returns how many words at least must be inserted, deleted or replaced, because moves change
/// neither the words nor their number.
std::int64_t least_edits(std::u32string hypothesis, std::u32string reference) {
  std::ranges::sort(hypothesis);
  std::ranges::sort(reference);
  std::u32string common;
  std::ranges::set_intersection(hypothesis, reference, std::back_inserter(common));
  return std::max(std::ssize(hypothesis), std::ssize(reference)) - std::ssize(common);
}

TEST(CountTranslationEdits, IsZeroForEqualTextsAndBoundedForOthers) {
  check_property([] {
    const auto hypothesis = *word_numbers(24);
    const auto reference = *word_numbers(24);
    RC_ASSERT(count_translation_edits(reference, reference) == 0);
    const auto edits = count_translation_edits(hypothesis, reference);
    RC_ASSERT(edits >= least_edits(hypothesis, reference));
    RC_ASSERT(edits <= std::max(std::ssize(hypothesis), std::ssize(reference)));
  });
}

TEST(CountTranslationEdits, IsOneIfABlockOfDistinctWordsMoved) {
  check_property([] {
    std::u32string reference(static_cast<std::size_t>(*rc::gen::inRange(2, 20)), U' ');
    for (std::size_t i = 0; i < reference.size(); ++i) reference[i] = static_cast<char32_t>(i);
    const auto middle = *rc::gen::inRange<std::ptrdiff_t>(1, std::ssize(reference));
    const auto end = *rc::gen::inRange<std::ptrdiff_t>(middle + 1, std::ssize(reference) + 1);
    auto hypothesis = reference;
    std::rotate(hypothesis.begin(), hypothesis.begin() + middle, hypothesis.begin() + end);
    RC_ASSERT(count_translation_edits(hypothesis, reference) == 1);
  });
}

}  // namespace
}  // namespace tfm
