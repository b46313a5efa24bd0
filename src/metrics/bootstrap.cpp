#include "tfm/metrics/bootstrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace tfm {
namespace {

std::mt19937 make_generator(std::uint64_t seed, std::uint64_t number) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  std::seed_seq sequence{low(seed), high(seed), low(number), high(number)};
  return std::mt19937(sequence);
}

/// Returns a uniform random number in [0, bound). Unlike std::uniform_int_distribution, this
/// function returns the same numbers with every standard library. It uses the method of Lemire
/// (2019): the result is the upper half of random() * bound. A new number is drawn if the lower
/// half is so small that some results would be favoured.
std::uint32_t uniform_below(std::uint32_t bound, std::mt19937& random) {
  const std::uint32_t incomplete = (0U - bound) % bound;
  std::uint64_t product = 0;
  do {
    product = static_cast<std::uint64_t>(random()) * bound;
  } while (static_cast<std::uint32_t>(product) < incomplete);
  return static_cast<std::uint32_t>(product >> 32);
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

Resampler bootstrap_resampler(std::size_t lines, std::uint64_t seed) {
  return [lines, seed](std::size_t number) {
    auto random = make_generator(seed, number);
    std::vector<std::uint32_t> sampled(lines);
    for (auto& line : sampled) line = uniform_below(static_cast<std::uint32_t>(lines), random);
    return sampled;
  };
}

ConfidenceInterval confidence_interval(std::vector<double> scores) {
  if (scores.empty()) return {};
  std::ranges::sort(scores);
  const std::size_t outside = scores.size() / 40;  // 2.5% on either side
  return {.mean = mean(scores),
          .margin = (scores[scores.size() - 1 - outside] - scores[outside]) / 2};
}

double paired_p_value(std::span<const double> system, std::span<const double> baseline,
                      double difference) {
  if (difference == 0) return 1;
  std::vector<double> differences(system.size());
  for (std::size_t i = 0; i < system.size(); ++i)
    differences[i] = std::abs(system[i] - baseline[i]);
  const double average = mean(differences);
  const auto farther = std::ranges::count_if(
      differences, [&](double each) { return each - average > std::abs(difference); });
  return static_cast<double>(1 + farther) / static_cast<double>(1 + differences.size());
}

std::string bootstrap_signature(const std::string& signature, const BootstrapOptions& options) {
  const auto references_end = signature.find('|');
  return fmt::format("{}|bs:{}|seed:{}{}", signature.substr(0, references_end), options.samples,
                     options.seed, signature.substr(references_end));
}

}  // namespace tfm
