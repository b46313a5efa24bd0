// Writes small .npz archives like those of NumPy and Marian, with stored or deflated entries.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tfm {

/// Returns an .npy array, version 1. `descr` is the data type, such as "<f4"; `shape` is "(2, 3)"
/// or "(3,)"; `data` has the bytes of the elements.
inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                       bool fortran_order = false) {
  std::string header = "{'descr': '" + descr +
                       "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
  header.append(63 - (10 + header.size()) % 64, ' ').append("\n");
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + data;
}

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

class ZipWriter {
 public:
  void add(const std::string& name, const std::string& content, bool deflate = false) {
    const std::string packed = deflate ? deflated(content) : content;
    const auto checksum = static_cast<std::uint32_t>(crc32(
        0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
    last_ = number(deflate ? 8 : 0, 2) + number(0, 4) + number(checksum, 4) +
            number(packed.size(), 4) + number(content.size(), 4);
    last_begin_ = body_.size();
    body_ += "PK\x03\x04" + number(20, 2) + number(0, 2) + last_ + number(name.size(), 2) +
             number(0, 2) + name + packed;
    mention_again(name);
  }

  /// Adds another directory entry for the data of the entry that was added last. The archive still
  /// contains the data only once.
  void mention_again(const std::string& name) {
    directory_ += "PK\x01\x02" + number(20, 2) + number(20, 2) + number(0, 2) + last_ +
                  number(name.size(), 2) + number(0, 2) + number(0, 2) + number(0, 2) +
                  number(0, 2) + number(0, 4) + number(last_begin_, 4) + name;
    ++entries_;
  }

  std::string bytes() const {
    return body_ + directory_ + "PK\x05\x06" + number(0, 4) + number(entries_, 2) +
           number(entries_, 2) + number(directory_.size(), 4) + number(body_.size(), 4) +
           number(0, 2);
  }

 private:
  static std::string number(std::size_t value, int size) {
    std::string bytes;
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    return bytes;
  }

  static std::string deflated(const std::string& content) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(content.size() + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
  }

  std::string body_;
  std::string directory_;
  std::string last_;  // the fields that both headers of the last entry contain
  std::size_t last_begin_ = 0;
  std::size_t entries_ = 0;
};

}  // namespace tfm
