// Reads a file into a buffer, for decoders that look at bytes before they consume them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "tfm/core/input_file.h"

namespace tfm {

class BufferedInput {
 public:
  explicit BufferedInput(std::filesystem::path file, OnWait on_wait = {})
      : input_(std::move(file), std::move(on_wait)) {}

  /// Reads until the buffer has at least `wanted` unconsumed bytes. Returns false if the file ends
  /// before that. Invalidates the views that rest() returned.
  bool fill(std::size_t wanted) {
    while (rest_.size() < wanted) {
      const std::size_t kept = rest_.size();
      if (kept > 0) std::memmove(buffer_.data(), rest_.data(), kept);
      const std::size_t count = input_.read(buffer_.data() + kept, buffer_.size() - kept);
      rest_ = {buffer_.data(), kept + count};
      bytes_read_ += static_cast<std::int64_t>(count);
      if (count == 0) return false;
    }
    return true;
  }
  /// Returns the unconsumed bytes of the buffer.
  std::string_view rest() const { return rest_; }
  void consume(std::size_t count) { rest_.remove_prefix(count); }
  /// Returns the number of bytes of the file that have been consumed.
  std::int64_t bytes_consumed() const { return bytes_read_ - std::ssize(rest_); }
  const std::filesystem::path& file() const { return input_.file(); }

 private:
  InputFile input_;
  std::array<char, 1 << 16> buffer_;
  std::string_view rest_;
  std::int64_t bytes_read_ = 0;
};

}  // namespace tfm
