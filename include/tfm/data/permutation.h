// A random permutation of the numbers from 0 to size - 1 that is computed and not stored, so that
// the order of a corpus of any size takes no memory. A Feistel network (Luby and Rackoff 1988)
// permutes the numbers below a power of four; a result of size or more is permuted again, until it
// is below size (cycle walking, Black and Rogaway 2002).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace tfm {

class Permutation {
 public:
  /// The permutation depends only on the arguments. `seed` may have any number of words.
  Permutation(std::int64_t size, std::span<const std::uint32_t> seed);

  /// Returns the number at the place `i`, which is from 0 to size - 1.
  std::int64_t operator()(std::int64_t i) const;

 private:
  // Four rounds of random functions make a pseudorandom permutation (Luby and Rackoff 1988). The
  // round function here is simple, so there are six.
  static constexpr int rounds = 6;

  std::uint64_t permute(std::uint64_t value) const;

  std::uint64_t size_;
  int half_bits_ = 1;  // the network permutes numbers of twice as many bits
  std::array<std::uint64_t, rounds> keys_{};
};

}  // namespace tfm
