// A growing list of integers from 0 to 2^32 - 1. Each takes 2 bytes as long as all are below 2^16,
// otherwise 4.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tfm {

/// Integers that lie somewhere in memory, `width` (2 or 4) bytes each.
struct IntegerSpan {
  const void* data = nullptr;
  std::size_t count = 0;
  int width = 2;

  std::uint32_t operator[](std::size_t i) const {
    return width == 2 ? static_cast<const std::uint16_t*>(data)[i]
                      : static_cast<const std::uint32_t*>(data)[i];
  }
  std::size_t bytes() const { return count * static_cast<std::size_t>(width); }
};

class PackedIntegers {
 public:
  void push_back(std::uint32_t value);
  std::size_t size() const { return is_wide_ ? wide_.size() : narrow_.size(); }
  /// Returns the integers. The span is valid until the list changes.
  IntegerSpan span() const;

 private:
  bool is_wide_ = false;
  std::vector<std::uint16_t> narrow_;  // used as long as every integer fits
  std::vector<std::uint32_t> wide_;
};

}  // namespace tfm
