// Uniform random numbers that are the same with every standard library, unlike those of
// std::uniform_int_distribution. The C++ standard defines the results of mt19937_64.
#pragma once

#include <cstdint>
#include <random>

namespace tfm {

/// Returns a uniform number in [0, bound). Rejects values of the generator at or above the largest
/// multiple of `bound` up to 2^64, because they would make small results more frequent.
inline std::uint64_t uniform_below(std::mt19937_64& random, std::uint64_t bound) {
  const std::uint64_t incomplete = (std::mt19937_64::max() % bound + 1) % bound;
  std::uint64_t value = random();
  while (value > std::mt19937_64::max() - incomplete) value = random();
  return value % bound;
}

}  // namespace tfm
