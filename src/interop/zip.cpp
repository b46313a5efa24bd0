#include "zip.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>

namespace tfm {
namespace {

// An archive ends with the end-of-central-directory record of 22 bytes and a comment of at most
// 65,535 bytes.
constexpr std::size_t end_size = 22;
constexpr std::size_t longest_comment = 65535;
constexpr std::size_t directory_header_size = 46;
constexpr std::size_t local_header_size = 30;
constexpr std::uint16_t stored = 0;
constexpr std::uint16_t deflated = 8;
constexpr std::uint32_t in_zip64 = 0xFFFFFFFF;

std::string_view part(std::string_view bytes, std::size_t begin, std::size_t size) {
  if (begin > bytes.size() || size > bytes.size() - begin)
    throw MalformedArchive("it is truncated");
  return bytes.substr(begin, size);
}

/// Reads a little-endian number of `size` bytes.
std::uint32_t number(std::string_view bytes, std::size_t begin, std::size_t size) {
  std::uint32_t value = 0;
  const auto field = part(bytes, begin, size);
  for (std::size_t i = 0; i < size; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(field[i])) << (8 * i);
  return value;
}

std::string_view end_record(std::string_view archive) {
  const std::size_t first = archive.size() - std::min(archive.size(), end_size + longest_comment);
  const auto at = archive.rfind("PK\x05\x06");
  if (at == std::string_view::npos || at < first)
    throw MalformedArchive("it is not a zip archive, or it is truncated");
  return part(archive, at, end_size);
}

std::string inflate_raw(std::string_view packed, std::size_t size) {
  // Deflate cannot compress further than this. A false size could otherwise exhaust memory.
  constexpr std::size_t highest_ratio = 1032;
  if (size / highest_ratio > packed.size()) throw MalformedArchive("an entry's size is impossible");
  std::string content(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw MalformedArchive("it can't be unpacked");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(content.data());
  stream.avail_out = static_cast<uInt>(content.size());
  const int status = inflate(&stream, Z_FINISH);
  const bool whole = status == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  if (!whole) throw MalformedArchive("an entry can't be unpacked");
  return content;
}

struct Entry {
  std::uint16_t method = 0;
  std::uint32_t checksum = 0;
  std::uint32_t packed_size = 0;
  std::uint32_t size = 0;
  std::uint32_t local_header = 0;
};

/// Parses the fixed part of an entry's header in the central directory.
Entry parse_entry(std::string_view header) {
  if (!header.starts_with("PK\x01\x02")) throw MalformedArchive("its directory is corrupt");
  if ((number(header, 8, 2) & 1U) != 0) throw MalformedArchive("it is encrypted");
  const Entry entry{.method = static_cast<std::uint16_t>(number(header, 10, 2)),
                    .checksum = number(header, 16, 4),
                    .packed_size = number(header, 20, 4),
                    .size = number(header, 24, 4),
                    .local_header = number(header, 42, 4)};
  if (entry.packed_size == in_zip64 || entry.size == in_zip64 || entry.local_header == in_zip64)
    throw MalformedArchive("it is a zip64 archive");
  return entry;
}

std::string read_content(std::string_view archive, const Entry& entry) {
  const auto local = part(archive, entry.local_header, local_header_size);
  if (!local.starts_with("PK\x03\x04"))
    throw MalformedArchive("an entry is not at its recorded position");
  const std::size_t begin =
      entry.local_header + local_header_size + number(local, 26, 2) + number(local, 28, 2);
  const auto packed = part(archive, begin, entry.packed_size);
  std::string content;
  if (entry.method == stored) {
    if (entry.packed_size != entry.size) throw MalformedArchive("an entry's size is impossible");
    content = packed;
  } else if (entry.method == deflated) {
    content = inflate_raw(packed, entry.size);
  } else {
    throw MalformedArchive("an entry uses compression method " + std::to_string(entry.method) +
                           ", but only deflate is supported");
  }
  const auto found = crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(content.data()),
                           static_cast<uInt>(content.size()));
  if (found != entry.checksum) throw MalformedArchive("an entry's checksum is wrong");
  return content;
}

}  // namespace

std::map<std::string, std::string> unzip(std::string_view archive) {
  const auto end = end_record(archive);
  std::map<std::string, std::string> contents;
  std::size_t packed = 0;  // compressed size of all entries so far, in bytes
  std::size_t at = number(end, 16, 4);
  for (std::uint32_t left = number(end, 10, 2); left > 0; --left) {
    const auto header = part(archive, at, directory_header_size);
    const auto entry = parse_entry(header);
    packed += entry.packed_size;
    // Entries that all refer to the same bytes could together exhaust memory.
    if (packed > archive.size()) throw MalformedArchive("its entries overlap");
    const std::size_t name_size = number(header, 28, 2);
    const std::string name(part(archive, at + directory_header_size, name_size));
    contents[name] = read_content(archive, entry);
    at += directory_header_size + name_size + number(header, 30, 2) + number(header, 32, 2);
  }
  return contents;
}

}  // namespace tfm
