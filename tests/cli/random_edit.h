// Edits the bytes of a file at random, as a faulty disk, network or editor might.
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>

namespace tfm {

class RandomEditor {
 public:
  explicit RandomEditor(std::uint64_t seed) : random_(seed) {}

  /// Edits the bytes once and returns a description of the edit. The bytes always change.
  std::string edit(std::string& bytes) {
    const std::string before = bytes;
    std::string description;
    while (bytes == before) {
      bytes = before;
      description = apply(bytes);
    }
    return description;
  }

  /// Returns a random number below `count`, or 0 if `count` is 0.
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0,
                                                      std::max<std::size_t>(1, count) - 1)(random_);
  }

 private:
  std::string apply(std::string& bytes) {
    const std::size_t place = below(bytes.size());
    const std::size_t length = std::min(bytes.size() - place, 1 + below(40));
    const std::string at = " at byte " + std::to_string(place);
    switch (below(bytes.empty() ? 1 : 8)) {
      case 0:
        bytes.insert(place, random_bytes());
        return "random bytes inserted" + at;
      case 1:
        bytes[place] = static_cast<char>(bytes[place] ^ (1 << below(8)));
        return "a bit flipped" + at;
      case 2:
        bytes[place] = static_cast<char>(below(256));
        return "a byte replaced" + at;
      case 3:
        bytes.erase(place, length);
        return std::to_string(length) + " bytes removed" + at;
      case 4:
        bytes.insert(place, bytes.substr(place, length));
        return std::to_string(length) + " bytes repeated" + at;
      case 5:
        bytes.resize(place);
        return "truncated" + at;
      case 6:
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(place), length, '\0');
        return std::to_string(length) + " bytes set to zero" + at;
      default:
        return replace_value(bytes, place);
    }
  }

  std::string random_bytes() {
    std::string bytes(1 + below(8), '\0');
    for (char& byte : bytes) byte = static_cast<char>(below(256));
    return bytes;
  }

  /// Replaces the first digits at or after `place` with a value of another type or size. Returns a
  /// description of the edit, or an empty text if there are no digits.
  std::string replace_value(std::string& bytes, std::size_t place) {
    static const char* const values[] = {"null", "\"x\"", "-1",   "1e999", "99999999999999999999",
                                         "[]",   "{}",    "true", "0.5",   "\x1b[2J"};
    const char* digits = "0123456789";
    const std::size_t begin = bytes.find_first_of(digits, place);
    if (begin == std::string::npos) return "";
    const std::size_t end = std::min(bytes.find_first_not_of(digits, begin), bytes.size());
    const std::string value = values[below(std::size(values))];
    bytes.replace(begin, end - begin, value);
    return "the number at byte " + std::to_string(begin) + " replaced by " + value;
  }

  std::mt19937_64 random_;
};

}  // namespace tfm
