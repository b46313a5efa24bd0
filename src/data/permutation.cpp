#include "tfm/data/permutation.h"

#include <algorithm>
#include <bit>
#include <random>

#include "tfm/core/uniform_random.h"

namespace tfm {

Permutation::Permutation(std::int64_t size, std::span<const std::uint32_t> seed)
    : size_(static_cast<std::uint64_t>(size)) {
  const int bits = std::bit_width(size_ - 1);
  half_bits_ = std::max(1, (bits + 1) / 2);
  std::seed_seq sequence(seed.begin(), seed.end());
  std::array<std::uint32_t, 2 * rounds> words{};
  sequence.generate(words.begin(), words.end());
  for (std::size_t i = 0; i < keys_.size(); ++i)
    keys_[i] = (std::uint64_t{words[2 * i]} << 32) | words[2 * i + 1];
}

std::int64_t Permutation::operator()(std::int64_t i) const {
  // Fewer than four times `size_` numbers are permuted, so four steps are enough on average.
  auto value = permute(static_cast<std::uint64_t>(i));
  while (value >= size_) value = permute(value);
  return static_cast<std::int64_t>(value);
}

std::uint64_t Permutation::permute(std::uint64_t value) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = value >> half_bits_;
  std::uint64_t right = value & mask;
  for (const std::uint64_t key : keys_) {
    const std::uint64_t next = left ^ (mix_bits(right ^ key) & mask);
    left = right;
    right = next;
  }
  return (left << half_bits_) | right;
}

}  // namespace tfm
