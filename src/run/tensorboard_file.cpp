#include "tfm/run/tensorboard_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <chrono>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

/// The CRC remainder of each byte value, for the reflected Castagnoli polynomial.
constexpr std::array<std::uint32_t, 256> crc_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit)
      remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0x82F63B78u : 0u);
    table[byte] = remainder;
  }
  return table;
}();

template <class Unsigned>
std::string little_endian(Unsigned value) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof value; ++i)
    bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

/// Returns the checksum as TFRecord stores it: rotated, plus a constant. Otherwise the checksum of
/// data that contains checksums would be weak.
std::string masked_crc(std::string_view bytes) {
  const auto crc = crc32c(bytes);
  return little_endian(((crc >> 15) | (crc << 17)) + 0xA282EAD8u);
}

// In the wire format of protocol buffers, a field is a key (number and wire type) and a value.
enum class WireType : std::uint64_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7F) | 0x80);
  return bytes + static_cast<char>(value);
}

std::string key(std::uint64_t number, WireType type) {
  return varint(number << 3 | static_cast<std::uint64_t>(type));
}
std::string integer_field(int number, std::int64_t value) {
  return key(number, WireType::varint) + varint(static_cast<std::uint64_t>(value));
}
std::string double_field(int number, double value) {
  return key(number, WireType::fixed64) + little_endian(std::bit_cast<std::uint64_t>(value));
}
std::string float_field(int number, float value) {
  return key(number, WireType::fixed32) + little_endian(std::bit_cast<std::uint32_t>(value));
}
std::string bytes_field(int number, std::string_view value) {
  return key(number, WireType::bytes) + varint(value.size()) + std::string(value);
}

// Field numbers of tensorboard/compat/proto/event.proto and summary.proto.
namespace event_field {
constexpr int wall_time = 1, step = 2, file_version = 3, summary = 5, session_log = 7;
}
namespace summary_field {
constexpr int value = 1, tag = 1, simple_value = 2;
}
constexpr int session_status = 1, session_start = 1;

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string event(double wall_time, std::int64_t step) {
  return double_field(event_field::wall_time, wall_time) + integer_field(event_field::step, step);
}

/// Returns a file name with the current time, because TensorBoard reads files in the order of their
/// names. The number at the end distinguishes sessions that one process starts in the same second.
std::filesystem::path new_name(const std::filesystem::path& folder) {
  static int count = 0;
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0 || host[0] == '\0') host = {"host"};
  return folder / fmt::format("events.out.tfevents.{:010}.{}.{}.{}",
                              static_cast<std::int64_t>(now()), host.data(), ::getpid(), count++);
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char byte : bytes)
    crc = crc_table[(crc ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

std::string tfrecord(std::string_view payload) {
  const auto length = little_endian(static_cast<std::uint64_t>(payload.size()));
  return length + masked_crc(length) + std::string(payload) + masked_crc(payload);
}

std::string scalar_event(double wall_time, std::int64_t step, const Scalars& scalars) {
  std::string summary;
  for (const auto& [tag, value] : scalars) {
    summary += bytes_field(summary_field::value,
                           bytes_field(summary_field::tag, tag) +
                               float_field(summary_field::simple_value, static_cast<float>(value)));
  }
  return event(wall_time, step) + bytes_field(event_field::summary, summary);
}

EventFileWriter::EventFileWriter(const std::filesystem::path& folder, std::int64_t first_step) {
  make_folder(folder);
  file_ = new_name(folder);
  output_.open(file_, std::ios::binary | std::ios::app);
  append(event(now(), 0) + bytes_field(event_field::file_version, "brain.Event:2"));
  append(event(now(), first_step) +
         bytes_field(event_field::session_log, integer_field(session_status, session_start)));
}

void EventFileWriter::write(std::int64_t step, const Scalars& scalars) {
  append(scalar_event(now(), step, scalars));
}

void EventFileWriter::append(const std::string& event) {
  const auto record = tfrecord(event);
  output_.write(record.data(), static_cast<std::streamsize>(record.size()));
  if (!output_.flush())
    throw ModelError(file_.string(), "can't be written",
                     "Check the free space and the permissions of its folder.");
}

}  // namespace tfm
