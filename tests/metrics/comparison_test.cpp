#include "tfm/metrics/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "tfm/core/error.h"
#include "tfm/metrics/chrf.h"
#include "tfm/metrics/ter.h"

namespace tfm {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

/// Returns sacreBLEU's values, written by scripts/make_bootstrap_golden.py.
const json& golden_bootstrap() {
  static const json values = [] {
    std::ifstream file(TFM_SOURCE_DIR "/tests/metrics/golden/bootstrap.json");
    if (!file) throw std::runtime_error("tests/metrics/golden/bootstrap.json can't be read");
    return json::parse(file);
  }();
  return values;
}

/// Returns the test sets in which the second system differs from the baseline. If both are equal,
/// the p-value differs from that of sacreBLEU on purpose (paired_p_value).
std::vector<json> sets_of_different_systems() {
  std::vector<json> sets;
  for (const auto& set : golden_bootstrap().at("sets")) {
    if (set.at("systems")[0] != set.at("systems")[1]) sets.push_back(set);
  }
  return sets;
}

const std::map<std::string, Metric> metric_keys = {
    {"bleu", Metric::bleu}, {"chrf", Metric::chrf}, {"ter", Metric::ter}};
const std::vector<Metric> all_metrics{Metric::bleu, Metric::chrf, Metric::ter};

Resampler fixed_resampler(const json& resamples) {
  return [lines = resamples.get<std::vector<std::vector<std::uint32_t>>>()](std::size_t number) {
    return lines.at(number);
  };
}

struct Tolerances {
  double mean = 0;
  double margin = 0;
  double p = 0;
};

void expect_results(const MetricResult& result, const json& expected, const Tolerances& tolerance) {
  EXPECT_NEAR(result.score, expected.at("score").get<double>(), 1e-10);
  EXPECT_NEAR(result.confidence.mean, expected.at("mean").get<double>(), tolerance.mean);
  EXPECT_NEAR(result.confidence.margin, expected.at("ci").get<double>(), tolerance.margin);
  ASSERT_EQ(result.p_value.has_value(), !expected.at("p").is_null());
  if (!result.p_value) return;
  EXPECT_NEAR(*result.p_value, expected.at("p").get<double>(), tolerance.p);
}

std::vector<SystemResult> with_sacrebleus_resamples(const json& set) {
  const auto& resamples = set.at("resamples");
  const ComparisonOptions options{
      .metrics = all_metrics,
      .bootstrap = {.samples = std::ssize(resamples), .seed = 0, .threads = 2}};
  return compare_systems(set.at("systems").get<std::vector<Lines>>(),
                         {set.at("references").get<Lines>()}, options, fixed_resampler(resamples));
}

/// Compares counts(line, reference) with those of sacreBLEU, for each line of each system of the
/// golden sets. `key` names sacreBLEU's.
void expect_golden_counts(
    const char* key, const std::function<json(const std::string&, const std::string&)>& counts) {
  for (const auto& set : golden_bootstrap().at("sets")) {
    SCOPED_TRACE(set.at("name").get<std::string>());
    const auto references = set.at("references").get<Lines>();
    for (std::size_t system = 0; system < set.at("systems").size(); ++system) {
      const auto lines = set.at("systems")[system].get<Lines>();
      for (std::size_t i = 0; i < lines.size(); ++i)
        EXPECT_EQ(counts(lines[i], references[i]), set.at(key)[system][i]) << lines[i];
    }
  }
}

TEST(TerCounts, EqualThoseOfSacrebleuOnEachLineOfSeveralSystems) {
  expect_golden_counts("ter_lines", [](const std::string& line, const std::string& reference) {
    const auto ter = ter_counts(line, {reference});
    return json({ter.edits, ter.reference_length});
  });
}

TEST(BleuAndChrfCounts, EqualThoseOfSacrebleuOnEachLine) {
  expect_golden_counts("bleu_lines", [](const std::string& line, const std::string& reference) {
    const auto bleu = bleu_counts(line, {reference});
    std::vector<std::int64_t> flat{bleu.hypothesis_length, bleu.reference_length};
    flat.insert(flat.end(), bleu.matches.begin(), bleu.matches.end());
    flat.insert(flat.end(), bleu.totals.begin(), bleu.totals.end());
    return json(flat);
  });
  expect_golden_counts("chrf_lines", [](const std::string& line, const std::string& reference) {
    const auto chrf = chrf_counts(line, {reference});
    std::vector<std::int64_t> flat;
    for (std::size_t order = 0; order < 6; ++order)
      flat.insert(flat.end(), {chrf.hypothesis[order], chrf.reference[order], chrf.matches[order]});
    return json(flat);
  });
}

TEST(CompareSystems, EqualsSacrebleuInDoublePrecisionOnTheSameResamples) {
  for (const auto& set : sets_of_different_systems()) {
    SCOPED_TRACE(set.at("name").get<std::string>());
    const auto results = with_sacrebleus_resamples(set);
    ASSERT_EQ(results.size(), set.at("systems").size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      for (const auto& [key, metric] : metric_keys)
        expect_results(results[i].metrics.at(metric), set.at("double").at(key)[i],
                       {1e-9, 1e-9, 1e-12});
    }
  }
}

TEST(CompareSystems, EqualsSacrebleusPairedTestWithinFp32Precision) {
  for (const auto& set : sets_of_different_systems()) {
    SCOPED_TRACE(set.at("name").get<std::string>());
    const auto results = with_sacrebleus_resamples(set);
    for (std::size_t i = 0; i < results.size(); ++i) {
      for (const auto& [key, metric] : metric_keys)
        expect_results(results[i].metrics.at(metric), set.at("paired_test").at(key)[i],
                       {1e-4, 1e-4, 1e-12});
    }
  }
}

/// tfm and sacreBLEU each use 20,000 resamples of their own. The tolerance is four standard
/// deviations of the difference between two such estimates for normally distributed scores. Small
/// test sets are skipped, because their scores are not normally distributed.
TEST(CompareSystems, AgreesWithSacrebleuWhenTheResamplesDiffer) {
  constexpr std::int64_t samples = 20000;
  for (const auto& set : sets_of_different_systems()) {
    if (set.at("references").size() < 40) continue;
    const ComparisonOptions options{.metrics = all_metrics,
                                    .bootstrap = {.samples = samples, .seed = 12345, .threads = 0}};
    const auto results = compare_systems(set.at("systems").get<std::vector<Lines>>(),
                                         {set.at("references").get<Lines>()}, options);
    for (std::size_t i = 0; i < results.size(); ++i) {
      for (const auto& [key, metric] : metric_keys) {
        const auto& expected = set.at("double_many").at(key)[i];
        const double standard_deviation = expected.at("ci").get<double>() / 1.96;
        const double p = expected.at("p").is_null() ? 0 : expected.at("p").get<double>();
        const double error = 4 * std::sqrt(2. / samples);
        expect_results(results[i].metrics.at(metric), expected,
                       {error * standard_deviation, 2 * error * standard_deviation,
                        error * std::sqrt(p * (1 - p)) + 0.001});
      }
    }
  }
}

TEST(CompareSystems, FindsNoDifferenceBetweenASystemAndItself) {
  const Lines lines{"a b c d", "e f g h", "x"};
  const auto results =
      compare_systems({lines, lines}, {Lines{"a b c d", "e f g", "y"}}, {.metrics = all_metrics});
  for (const Metric metric : all_metrics) {
    const auto& first = results[0].metrics.at(metric);
    const auto& second = results[1].metrics.at(metric);
    EXPECT_FALSE(first.p_value.has_value());
    EXPECT_EQ(second.p_value, 1);
    EXPECT_EQ(second.confidence.mean, first.confidence.mean);
  }
}

TEST(CompareSystems, ResultDependsOnTheSeedButNotOnTheNumberOfThreads) {
  const auto& set = golden_bootstrap().at("sets")[0];
  const auto systems = set.at("systems").get<std::vector<Lines>>();
  const auto references = set.at("references").get<Lines>();
  const auto mean = [&](const BootstrapOptions& options) {
    return compare_systems(systems, {references}, {.bootstrap = options})[1]
        .metrics.at(Metric::bleu)
        .confidence.mean;
  };
  const double first = mean({.samples = 50, .seed = 1, .threads = 1});
  EXPECT_EQ(mean({.samples = 50, .seed = 1, .threads = 3}), first);
  EXPECT_NE(mean({.samples = 50, .seed = 2, .threads = 1}), first);
}

TEST(CompareSystems, ScoresEqualThoseOfTheWholeCorpus) {
  const auto& set = golden_bootstrap().at("sets")[0];
  const auto system = set.at("systems")[2].get<Lines>();
  const auto references = set.at("references").get<Lines>();
  for (const std::int64_t samples : {0, 1}) {
    const auto result = compare_systems(
        {system}, {references},
        {.metrics = all_metrics, .bootstrap = {.samples = samples, .seed = 1, .threads = 2}})[0];
    EXPECT_EQ(result.bleu.format(), corpus_bleu(system, references).format());
    EXPECT_EQ(result.metrics.at(Metric::bleu).score, corpus_bleu(system, references).score);
    EXPECT_EQ(result.metrics.at(Metric::chrf).score, corpus_chrf(system, references));
    EXPECT_EQ(result.metrics.at(Metric::ter).score, corpus_ter(system, references));
    EXPECT_EQ(ter_score(result.ter), corpus_ter(system, references));
  }
}

TEST(CompareSystems, ComputesOnlyTheMetricsOfTheOptions) {
  const auto result =
      compare_systems({{"a b c d"}}, {Lines{"a b c d"}}, {.metrics = {Metric::ter}})[0];
  EXPECT_THAT(result.metrics, testing::ElementsAre(testing::Key(Metric::ter)));
  EXPECT_EQ(result.bleu.score, 0);
  EXPECT_THAT(compare_systems({{"a"}}, {Lines{"a"}}, {})[0].metrics,
              testing::ElementsAre(testing::Key(Metric::bleu), testing::Key(Metric::chrf)));
}

TEST(CompareSystems, AcceptsTextsWithoutLinesButThrowsForUnequalLineCounts) {
  EXPECT_EQ(compare_systems({{}, {}}, {Lines()}, {})[1].metrics.at(Metric::bleu).confidence.mean,
            0);
  EXPECT_THROW(compare_systems({{"a"}}, {Lines{"a", "b"}}, {}), DataError);
}

TEST(CompareSystems, UsesAllReferencesAndTheOptionsOfEachMetric) {
  const References references{{"A b c d e"}, {"a b c d x"}};
  const ComparisonOptions options{.metrics = all_metrics,
                                  .bleu = {.lowercase = true},
                                  .chrf = {.word_order = 2},
                                  .ter = {.case_sensitive = true},
                                  .bootstrap = {.samples = 0, .seed = 1, .threads = 1}};
  const auto result = compare_systems({{"a b c d e"}}, references, options)[0];
  EXPECT_NEAR(result.metrics.at(Metric::bleu).score, 100, 1e-10);
  EXPECT_EQ(result.metrics.at(Metric::chrf).score,
            chrf_score(chrf_counts("a b c d e", references_of_line(references, 0), options.chrf)));
  EXPECT_EQ(result.metrics.at(Metric::ter).score, 20)
      << "a case and a word differ by one edit each";
  EXPECT_THROW(compare_systems({{"a"}}, {Lines{"a"}, Lines{"a", "b"}}, options), DataError);
}

TEST(BootstrapResampler, SamplesEveryLineAboutEquallyOften) {
  constexpr std::size_t lines = 7;
  constexpr int resamples = 10000;
  std::vector<int> counts(lines);
  const auto resample = bootstrap_resampler(lines, 12345);
  for (std::size_t number = 0; number < resamples; ++number) {
    const auto sampled = resample(number);
    ASSERT_EQ(sampled.size(), lines);
    for (const auto line : sampled) ++counts.at(line);
  }
  for (const int count : counts) EXPECT_NEAR(count, resamples, 4 * std::sqrt(resamples));
  EXPECT_EQ(resample(3), bootstrap_resampler(lines, 12345)(3));
  EXPECT_NE(resample(3), resample(4));
}

// With 40 scores, the outer 5% are the lowest score and the highest score.
TEST(ConfidenceInterval, ExcludesAFortiethOfTheScoresAtEachEnd) {
  std::vector<double> scores(40);
  for (int i = 0; i < 40; ++i) scores[static_cast<std::size_t>(i)] = i < 39 ? i : 1000;
  EXPECT_NEAR(confidence_interval(scores).margin, (38. - 1.) / 2, 1e-12);
  EXPECT_NEAR(confidence_interval(scores).mean, (741. + 1000.) / 40, 1e-12);
  EXPECT_EQ(confidence_interval({5}).margin, 0);
}

TEST(BootstrapSignature, HasTheFormOfSacrebleu) {
  const auto signature = golden_bootstrap().at("bleu_signature").get<std::string>();
  EXPECT_EQ(bootstrap_signature(bleu_signature(), {}),
            signature.substr(0, signature.rfind(':') + 1) + "tfm-" TFM_VERSION);
}

}  // namespace
}  // namespace tfm
