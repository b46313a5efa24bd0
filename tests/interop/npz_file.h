// Writes small .npz archives like those of NumPy and Marian, with stored or deflated entries.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <utility>
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
  /// With `zip64`, all sizes and positions are in the fields of a zip64 archive.
  explicit ZipWriter(bool zip64 = false) : zip64_(zip64) {}

  void add(const std::string& name, const std::string& content, bool deflate = false) {
    const std::string packed = deflate ? deflated(content) : content;
    const auto checksum = static_cast<std::uint32_t>(crc32(
        0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
    last_ = number(deflate ? 8 : 0, 2) + number(0, 4) + number(checksum, 4);
    last_sizes_ = {packed.size(), content.size()};
    last_begin_ = body_.size();
    body_ += "PK\x03\x04" + number(20, 2) + number(0, 2) + last_ + number(packed.size(), 4) +
             number(content.size(), 4) + number(name.size(), 2) + number(0, 2) + name + packed;
    mention_again(name);
  }

  /// Adds another directory entry for the data of the entry that was added last. The archive still
  /// contains the data only once.
  void mention_again(const std::string& name) {
    const auto [packed, size] = last_sizes_;
    const std::string field = zip64_ ? number(1, 2) + number(24, 2) + number(size, 8) +
                                           number(packed, 8) + number(last_begin_, 8)
                                     : "";
    directory_ += "PK\x01\x02" + number(20, 2) + number(20, 2) + number(0, 2) + last_ +
                  short_number(packed) + short_number(size) + number(name.size(), 2) +
                  number(field.size(), 2) + number(0, 2) + number(0, 2) + number(0, 2) +
                  number(0, 4) + short_number(last_begin_) + name + field;
    ++entries_;
  }

  std::string bytes() const {
    const auto at = body_.size() + directory_.size();
    const std::string zip64_end = zip64_ ? "PK\x06\x06" + number(44, 8) + number(45, 2) +
                                               number(45, 2) + number(0, 8) + number(entries_, 8) +
                                               number(entries_, 8) + number(directory_.size(), 8) +
                                               number(body_.size(), 8) + "PK\x06\x07" +
                                               number(0, 4) + number(at, 8) + number(1, 4)
                                         : "";
    const auto count = number(zip64_ ? 0xFFFF : entries_, 2);
    return body_ + directory_ + zip64_end + "PK\x05\x06" + number(0, 4) + count + count +
           short_number(directory_.size()) + short_number(body_.size()) + number(0, 2);
  }

 private:
  static std::string number(std::size_t value, int size) {
    std::string bytes;
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    return bytes;
  }

  /// A number of 4 bytes, or the mark that it is in a zip64 field.
  std::string short_number(std::size_t value) const {
    return number(zip64_ ? 0xFFFFFFFF : value, 4);
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
  std::pair<std::size_t, std::size_t> last_sizes_;  // compressed and uncompressed
  std::size_t last_begin_ = 0;
  std::size_t entries_ = 0;
  bool zip64_;
};

}  // namespace tfm
