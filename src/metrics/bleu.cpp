#include "tfm/metrics/bleu.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <unordered_map>

#include "ngrams.h"
#include "tfm/core/error.h"
#include "unicode.h"

namespace tfm {
namespace {

constexpr std::size_t max_order = 4;

using WordNumbers = std::unordered_map<std::string, char32_t>;

// sacreBLEU cuts trailing whitespace before it tokenises; otherwise 13a would take a hyphen at the end of "Haus-\n" for a broken word and drop it.
std::string_view without_trailing_space(std::string_view line) {
  const auto words = split_at_unicode_space(line);
  if (words.empty()) return {};
  return line.substr(0, static_cast<std::size_t>(words.back().data() - line.data()) + words.back().size());
}

// Words become numbers, so that n-grams of words compare as fast as n-grams of characters.
std::u32string number_words(std::string_view line, bool tokenize, WordNumbers& numbers) {
  const std::string text = tokenize ? tokenize_13a(without_trailing_space(line)) : std::string(line);
  std::u32string result;
  for (const std::string_view word : split_at_unicode_space(text)) {
    result.push_back(numbers.try_emplace(std::string(word), static_cast<char32_t>(numbers.size())).first->second);
  }
  return result;
}

void add_line(std::u32string_view hypothesis, std::u32string_view reference, BleuScore& bleu) {
  bleu.hypothesis_length += static_cast<std::int64_t>(hypothesis.size());
  bleu.reference_length += static_cast<std::int64_t>(reference.size());
  for (std::size_t order = 1; order <= max_order; ++order) {
    const NgramCounts counts = count_ngrams(hypothesis, reference, order);
    bleu.matches[order - 1] += counts.matches;
    bleu.totals[order - 1] += counts.hypothesis;
  }
}

double brevity_penalty(double hypothesis_length, double reference_length) {
  if (hypothesis_length >= reference_length) return 1;
  return hypothesis_length > 0 ? std::exp(1 - reference_length / hypothesis_length) : 0;
}

// Smoothing "exp" of mteval-v13a (method 3 of Chen and Cherry 2014): the k-th order without a match counts 1 / 2^k of a match.
std::array<double, max_order> smoothed_precisions(const BleuScore& bleu) {
  std::array<double, max_order> precisions{};
  double divisor = 1;
  for (std::size_t i = 0; i < max_order && bleu.totals[i] > 0; ++i) {
    const auto total = static_cast<double>(bleu.totals[i]);
    if (bleu.matches[i] > 0) {
      precisions[i] = 100. * static_cast<double>(bleu.matches[i]) / total;
    } else {
      divisor *= 2;
      precisions[i] = 100. / (divisor * total);
    }
  }
  return precisions;
}

double geometric_mean(const std::array<double, max_order>& values) {
  double log_sum = 0;
  for (const double value : values) {
    if (value == 0) return 0;
    log_sum += std::log(value);
  }
  return std::exp(log_sum / static_cast<double>(max_order));
}

}  // namespace

std::string BleuScore::format() const {
  const double ratio = reference_length > 0 ? static_cast<double>(hypothesis_length) / static_cast<double>(reference_length) : 0;
  return fmt::format("BLEU = {:.2f} {:.1f}/{:.1f}/{:.1f}/{:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})", score, precisions[0],
                     precisions[1], precisions[2], precisions[3], brevity_penalty, ratio, hypothesis_length, reference_length);
}

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references, bool tokenize) {
  if (hypotheses.size() != references.size()) {
    throw DataError("BLEU", fmt::format("{} hypotheses but {} references", hypotheses.size(), references.size()),
                    "Give one reference line for each hypothesis line.");
  }
  BleuScore bleu;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    WordNumbers numbers;
    const std::u32string hypothesis = number_words(hypotheses[i], tokenize, numbers);
    const std::u32string reference = number_words(references[i], tokenize, numbers);
    add_line(hypothesis, reference, bleu);
  }
  bleu.brevity_penalty = brevity_penalty(static_cast<double>(bleu.hypothesis_length), static_cast<double>(bleu.reference_length));
  // Smoothing stands in for some missing matches, not for all of them.
  if (std::ranges::all_of(bleu.matches, [](std::int64_t count) { return count == 0; })) return bleu;
  bleu.precisions = smoothed_precisions(bleu);
  bleu.score = bleu.brevity_penalty * geometric_mean(bleu.precisions);
  return bleu;
}

std::string bleu_signature(bool tokenize) {
  return fmt::format("nrefs:1|case:mixed|eff:no|tok:{}|smooth:exp|version:tfm-{}", tokenize ? "13a" : "none", TFM_VERSION);
}

}  // namespace tfm
