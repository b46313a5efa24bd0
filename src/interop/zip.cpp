#include "zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace tfm {
namespace {

// An archive ends with the end-of-central-directory record of 22 bytes and a comment of at most
// 65,535 bytes. In a zip64 archive, the record follows a locator of 20 bytes, which has the
// position of a larger record.
constexpr std::size_t end_size = 22;
constexpr std::size_t longest_comment = 65535;
constexpr std::size_t zip64_locator_size = 20;
constexpr std::size_t zip64_end_size = 56;
constexpr std::size_t directory_header_size = 46;
constexpr std::size_t local_header_size = 30;
constexpr std::uint16_t stored = 0;
constexpr std::uint16_t deflated = 8;
constexpr std::uint64_t in_zip64 = 0xFFFFFFFF;    // the value is in the zip64 field
constexpr std::uint64_t count_in_zip64 = 0xFFFF;  // the count is in the zip64 record
constexpr std::uint64_t zip64_field = 1;          // the number of the zip64 extra field

std::string_view part(std::string_view bytes, std::uint64_t begin, std::uint64_t size) {
  if (begin > bytes.size() || size > bytes.size() - begin)
    throw MalformedArchive("it is truncated");
  return bytes.substr(begin, size);
}

/// Reads a little-endian number of `size` bytes.
std::uint64_t number(std::string_view bytes, std::uint64_t begin, std::size_t size) {
  std::uint64_t value = 0;
  const auto field = part(bytes, begin, size);
  for (std::size_t i = 0; i < size; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(field[i])) << (8 * i);
  return value;
}

/// The place of the central directory, and the number of its entries.
struct Directory {
  std::uint64_t begin = 0;
  std::uint64_t entries = 0;
};

Directory find_directory(std::string_view archive) {
  const std::size_t first = archive.size() - std::min(archive.size(), end_size + longest_comment);
  const auto at = archive.rfind("PK\x05\x06");
  if (at == std::string_view::npos || at < first)
    throw MalformedArchive("it is not a zip archive, or it is truncated");
  const auto end = part(archive, at, end_size);
  const Directory directory{.begin = number(end, 16, 4), .entries = number(end, 10, 2)};
  if (directory.begin != in_zip64 && directory.entries != count_in_zip64) return directory;
  if (at < zip64_locator_size) return directory;
  const auto locator = archive.substr(at - zip64_locator_size, zip64_locator_size);
  if (!locator.starts_with("PK\x06\x07")) return directory;
  const auto zip64_end = part(archive, number(locator, 8, 8), zip64_end_size);
  if (!zip64_end.starts_with("PK\x06\x06"))
    throw MalformedArchive("its zip64 record is not at its recorded position");
  return {.begin = number(zip64_end, 48, 8), .entries = number(zip64_end, 32, 8)};
}

std::string inflate_raw(std::string_view packed, std::size_t size) {
  // Deflate cannot compress further than this. A false size could otherwise exhaust memory.
  constexpr std::size_t highest_ratio = 1032;
  if (size / highest_ratio > packed.size()) throw MalformedArchive("an entry's size is impossible");
  if (std::max(size, packed.size()) > std::numeric_limits<uInt>::max())
    throw MalformedArchive("a compressed entry has 4 GiB or more");
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

/// Replaces the values of a directory header that are in its zip64 field. The field contains only
/// those, in this order: size, compressed size, position of the local header.
void read_zip64_field(std::string_view fields, ZipEntry& entry) {
  while (fields.size() >= 4) {
    const std::uint64_t size = number(fields, 2, 2);
    auto field = part(fields, 4, size);
    if (number(fields, 0, 2) == zip64_field) {
      for (auto* value : {&entry.size, &entry.packed_size, &entry.local_header}) {
        if (*value != in_zip64) continue;
        *value = number(field, 0, 8);
        field.remove_prefix(8);
      }
    }
    fields.remove_prefix(4 + size);
  }
}

/// Parses the fixed part of an entry's header in the central directory.
ZipEntry parse_entry(std::string_view header) {
  if (!header.starts_with("PK\x01\x02")) throw MalformedArchive("its directory is corrupt");
  if ((number(header, 8, 2) & 1U) != 0) throw MalformedArchive("it is encrypted");
  return {.method = static_cast<std::uint16_t>(number(header, 10, 2)),
          .checksum = static_cast<std::uint32_t>(number(header, 16, 4)),
          .packed_size = number(header, 20, 4),
          .size = number(header, 24, 4),
          .local_header = number(header, 42, 4)};
}

std::string_view packed_bytes(std::string_view archive, const ZipEntry& entry) {
  const auto local = part(archive, entry.local_header, local_header_size);
  if (!local.starts_with("PK\x03\x04"))
    throw MalformedArchive("an entry is not at its recorded position");
  const std::uint64_t begin =
      entry.local_header + local_header_size + number(local, 26, 2) + number(local, 28, 2);
  return part(archive, begin, entry.packed_size);
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string read_content(std::string_view archive, const ZipEntry& entry) {
  const auto packed = packed_bytes(archive, entry);
  std::string content;
  if (entry.method == stored) {
    if (entry.packed_size != entry.size) throw MalformedArchive("an entry's size is impossible");
    content = packed;
  } else if (entry.method == deflated) {
    content = inflate_raw(packed, entry.size);
  } else {
    throw MalformedArchive(fmt::format(
        "an entry uses compression method {}, but only deflate is supported", entry.method));
  }
  if (checksum(content) != entry.checksum) throw MalformedArchive("an entry's checksum is wrong");
  return content;
}

}  // namespace

std::map<std::string, ZipEntry> list_zip(std::string_view archive) {
  const auto directory = find_directory(archive);
  std::map<std::string, ZipEntry> entries;
  std::uint64_t packed = 0;  // compressed size of all entries so far, in bytes
  std::uint64_t at = directory.begin;
  for (std::uint64_t left = directory.entries; left > 0; --left) {
    const auto header = part(archive, at, directory_header_size);
    auto entry = parse_entry(header);
    const auto name_size = number(header, 28, 2);
    const auto fields_size = number(header, 30, 2);
    const std::string name(part(archive, at + directory_header_size, name_size));
    at += directory_header_size + name_size;
    read_zip64_field(part(archive, at, fields_size), entry);
    // Entries that all refer to the same bytes could together exhaust memory.
    if (entry.packed_size > archive.size() - packed) throw MalformedArchive("its entries overlap");
    packed += entry.packed_size;
    if (!entries.emplace(name, entry).second)
      throw MalformedArchive(fmt::format("it contains the entry '{}' twice", name));
    at += fields_size + number(header, 32, 2);
  }
  return entries;
}

std::string_view stored_bytes(std::string_view archive, const ZipEntry& entry) {
  if (entry.method != stored || entry.packed_size != entry.size)
    throw MalformedArchive("an entry is compressed");
  const auto bytes = packed_bytes(archive, entry);
  if (entry.checksum != 0 && checksum(bytes) != entry.checksum)
    throw MalformedArchive("an entry's checksum is wrong");
  return bytes;
}

std::map<std::string, std::string> unzip(std::string_view archive) {
  std::map<std::string, std::string> contents;
  for (const auto& [name, entry] : list_zip(archive)) contents[name] = read_content(archive, entry);
  return contents;
}

}  // namespace tfm
