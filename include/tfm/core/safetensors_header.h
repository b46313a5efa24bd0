// The header of a file in the safetensors format, which holds named arrays of numbers: the length
// of the header (8 bytes, little-endian), the header (JSON) and the data. Weights and shards of
// training data are such files. Reading checks everything that follows from the bytes alone: an
// entry of a header that was read lies within the file, has the size of its shape and type, and
// shares no byte with another. Names are unique.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// Thrown if bytes are not a file in the safetensors format. what() names the rule that they break.
/// Callers convert it to an Error with the name of the file.
class MalformedSafetensors : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

/// An array in a file.
struct SafetensorsEntry {
  std::string dtype;  ///< a type of the format, such as "F32" or "U16"
  std::vector<std::int64_t> shape;
  std::size_t begin = 0;  ///< in bytes from the start of the data
  std::size_t bytes = 0;

  std::size_t end() const { return begin + bytes; }
  bool operator==(const SafetensorsEntry&) const = default;
};

struct SafetensorsHeader {
  std::map<std::string, SafetensorsEntry> entries;
  std::map<std::string, std::string> metadata;

  /// Adds an array whose data follows the data of all entries. Throws MalformedSafetensors if the
  /// format does not have the type, or if the name is taken.
  void append(const std::string& name, const std::string& dtype,
              const std::vector<std::int64_t>& shape);
  bool operator==(const SafetensorsHeader&) const = default;
};

/// Returns the bytes of a file before its data. Their number is a multiple of 64, so that data
/// begins at a cache line: kernels then read mapped weights as fast as allocated ones.
std::string format_safetensors_header(const SafetensorsHeader& header);

/// A header that was read.
struct ParsedSafetensorsHeader {
  SafetensorsHeader header;
  std::size_t data_begin = 0;  ///< in bytes from the start of the file
};

/// Reads the header of a file. `file` is its complete content, of which only the header is read.
/// Throws MalformedSafetensors.
ParsedSafetensorsHeader parse_safetensors_header(std::string_view file);

}  // namespace tfm
