// Writes TensorBoard event files: sequences of TFRecord frames (length, checksum of the length,
// payload, checksum of the payload), whose payloads are Event messages in the wire format of
// protocol buffers. Each training session writes its own file, which begins with the session's
// first step. TensorBoard reads the files of a folder as one run. For the first step of a session
// and all later steps, it drops the values that earlier sessions wrote.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tfm {

/// Pairs of a tag, such as "training/loss", and its value.
using Scalars = std::vector<std::pair<std::string, double>>;

/// Returns the CRC-32C checksum of the bytes (Castagnoli; RFC 3720, appendix B.4).
std::uint32_t crc32c(std::string_view bytes);

/// Returns the TFRecord frame of a payload.
std::string tfrecord(std::string_view payload);

/// Returns the Event message of one step; wall_time is in seconds since 1970. The values are stored
/// as 32-bit floats.
std::string scalar_event(double wall_time, std::int64_t step, const Scalars& scalars);

class EventFileWriter {
 public:
  /// Creates events.out.tfevents.SECONDS.HOST.PID.N in `folder`, and the folder if it is missing.
  /// first_step is the first step that this session may report. Throws ModelError if the file
  /// cannot be written.
  EventFileWriter(const std::filesystem::path& folder, std::int64_t first_step);

  /// Writes and flushes the scalars of one step. Throws ModelError if that fails.
  void write(std::int64_t step, const Scalars& scalars);

 private:
  void append(const std::string& event);

  std::filesystem::path file_;
  std::ofstream output_;
};

}  // namespace tfm
