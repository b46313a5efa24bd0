// What every decoder of compressed data has in common.
#pragma once

#include <cstddef>
#include <string>

namespace tfm {

class Decoder {
 public:
  virtual ~Decoder() = default;
  /// Reads at most `capacity` decompressed bytes and returns their number, or 0 at the end. Throws
  /// DataError with the place `where` if the data is truncated or corrupt.
  virtual std::size_t read(char* bytes, std::size_t capacity, const std::string& where) = 0;
};

/// The hint of errors about compressed data.
inline constexpr const char* decode_remedy = "Fetch or compress it again.";

}  // namespace tfm
