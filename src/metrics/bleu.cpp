#include "tfm/metrics/bleu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "line_pairs.h"
#include "ngrams.h"
#include "tfm/config/choices.h"
#include "tfm/text/letter_case.h"
#include "unicode.h"

namespace tfm {
namespace {

constexpr std::size_t bleu_order = 4;

std::u32string number_words(std::string_view line, const BleuOptions& options,
                            WordNumbers& numbers) {
  const std::string text = options.lowercase ? lowercase(line) : std::string(line);
  // As in sacreBLEU. Otherwise, 13a would treat "Haus-\n" as a word broken across lines and drop
  // the hyphen.
  const auto tokens = tokenize_for_bleu(without_trailing_space(text), options.tokenizer);
  return numbers.number(split_at_unicode_space(tokens));
}

/// Returns the length of the reference whose length is closest to that of the hypothesis. If two
/// lengths are equally close, returns the shorter one.
std::int64_t closest_length(std::int64_t hypothesis_length,
                            const std::vector<std::u32string>& references) {
  std::vector<std::int64_t> lengths;
  for (const auto& reference : references) lengths.push_back(std::ssize(reference));
  return std::ranges::min(lengths, {}, [&](std::int64_t length) {
    return std::pair(std::abs(length - hypothesis_length), length);
  });
}

double brevity_penalty(double hypothesis_length, double reference_length) {
  if (hypothesis_length >= reference_length) return 1;
  return hypothesis_length > 0 ? std::exp(1 - reference_length / hypothesis_length) : 0;
}

// Returns the precisions with smoothing "exp" of mteval-v13a (method 3 of Chen and Cherry 2014):
// the k-th order without a match is counted as 1 / 2^k matches.
std::array<double, bleu_order> smoothed_precisions(const BleuCounts& counts) {
  std::array<double, bleu_order> precisions{};
  double divisor = 1;
  for (std::size_t i = 0; i < bleu_order && counts.totals[i] > 0; ++i) {
    const auto total = static_cast<double>(counts.totals[i]);
    if (counts.matches[i] > 0) {
      precisions[i] = 100. * static_cast<double>(counts.matches[i]) / total;
    } else {
      divisor *= 2;
      precisions[i] = 100. / (divisor * total);
    }
  }
  return precisions;
}

double geometric_mean(const std::array<double, bleu_order>& values) {
  double log_sum = 0;
  for (const double value : values) {
    if (value == 0) return 0;
    log_sum += std::log(value);
  }
  return std::exp(log_sum / static_cast<double>(bleu_order));
}

}  // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& line) {
  for (std::size_t i = 0; i < bleu_order; ++i) {
    matches[i] += line.matches[i];
    totals[i] += line.totals[i];
  }
  hypothesis_length += line.hypothesis_length;
  reference_length += line.reference_length;
  return *this;
}

std::string BleuScore::format() const {
  return fmt::format("BLEU = {:.2f} {}", score, format_details());
}

std::string BleuScore::format_details() const {
  const double ratio = reference_length > 0 ? static_cast<double>(hypothesis_length) /
                                                  static_cast<double>(reference_length)
                                            : 0;
  return fmt::format(
      "{:.1f}/{:.1f}/{:.1f}/{:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})",
      precisions[0], precisions[1], precisions[2], precisions[3], brevity_penalty, ratio,
      hypothesis_length, reference_length);
}

BleuCounts bleu_counts(std::string_view hypothesis, const std::vector<std::string_view>& references,
                       const BleuOptions& options) {
  WordNumbers numbers;
  const std::u32string hypothesis_words = number_words(hypothesis, options, numbers);
  std::vector<std::u32string> reference_words;
  for (const std::string_view reference : references)
    reference_words.push_back(number_words(reference, options, numbers));
  BleuCounts line;
  line.hypothesis_length = std::ssize(hypothesis_words);
  line.reference_length = closest_length(line.hypothesis_length, reference_words);
  std::array<NgramCounts, bleu_order> counts;
  count_ngrams(hypothesis_words, reference_words, counts);
  for (std::size_t i = 0; i < bleu_order; ++i) {
    line.matches[i] = counts[i].matches;
    line.totals[i] = counts[i].hypothesis;
  }
  return line;
}

BleuScore bleu_score(const BleuCounts& counts) {
  BleuScore bleu{counts};
  bleu.brevity_penalty = brevity_penalty(static_cast<double>(bleu.hypothesis_length),
                                         static_cast<double>(bleu.reference_length));
  // Smoothing applies only if at least one order has a match.
  if (std::ranges::all_of(bleu.matches, [](std::int64_t count) { return count == 0; })) return bleu;
  bleu.precisions = smoothed_precisions(bleu);
  bleu.score = bleu.brevity_penalty * geometric_mean(bleu.precisions);
  return bleu;
}

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::string>& references, const BleuOptions& options) {
  require_pairs("BLEU", hypotheses, references);
  BleuCounts corpus;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    corpus += bleu_counts(hypotheses[i], {references[i]}, options);
  return bleu_score(corpus);
}

std::string bleu_signature(const BleuOptions& options, std::size_t references) {
  return fmt::format("nrefs:{}|case:{}|eff:no|tok:{}|smooth:exp|version:tfm-{}", references,
                     options.lowercase ? "lc" : "mixed", choice_name(options.tokenizer),
                     TFM_VERSION);
}

}  // namespace tfm
