// Random numbers that are the same with every standard library, unlike those of
// std::uniform_int_distribution. The C++ standard defines the results of mt19937_64. RandomStream
// is SplitMix64 (Steele et al. 2014), which costs nothing to begin: it suits many short streams,
// each with a key of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace tfm {

/// Mixes all bits of a number: the last step of SplitMix64 (variant 13).
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

/// Returns a uniform number in [0, bound) from a generator of 64 bits. Rejects values at or above
/// the largest multiple of `bound` up to 2^64, because they would make small results more frequent.
template <class Generator>
std::uint64_t uniform_below(Generator& random, std::uint64_t bound) {
  static_assert(Generator::min() == 0 &&
                Generator::max() == std::numeric_limits<std::uint64_t>::max());
  const std::uint64_t incomplete = (Generator::max() % bound + 1) % bound;
  std::uint64_t value = random();
  while (value > Generator::max() - incomplete) value = random();
  return value % bound;
}

class RandomStream {
 public:
  using result_type = std::uint64_t;

  /// The stream depends on all numbers of the key and on their order.
  explicit RandomStream(std::initializer_list<std::uint64_t> key) {
    for (const std::uint64_t word : key) state_ = mix_bits(state_ + increment + word);
  }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() { return mix_bits(state_ += increment); }

  /// Returns a uniform number in [0, bound).
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(uniform_below(*this, bound));
  }
  /// Returns true with this probability: never if it is 0, always if it is 1.
  bool chance(double probability) {
    constexpr double unit = 1.0 / 9007199254740992.0;  // 2^-53
    return static_cast<double>((*this)() >> 11) * unit < probability;
  }

 private:
  static constexpr std::uint64_t increment = 0x9E3779B97F4A7C15;

  std::uint64_t state_ = 0;
};

}  // namespace tfm
