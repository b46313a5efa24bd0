// A TensorBoard event file: a sequence of TFRecord frames (length, its checksum, payload, its
// checksum), each payload an Event message in protocol buffers' wire format. A session of training
// writes a file of its own, which begins by saying at which step the session does: TensorBoard
// reads a folder's files as one run and drops what an earlier session, killed after its last
// checkpoint, had written from that step on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tfm {

using Scalars = std::vector<std::pair<std::string, double>>;  ///< tag ("training/loss") and value

/// CRC-32C (Castagnoli; RFC 3720, appendix B.4).
std::uint32_t crc32c(std::string_view bytes);

/// One frame around a payload.
std::string tfrecord(std::string_view payload);

/// The Event message of one step. wall_time: seconds since 1970. Values are stored as 32-bit
/// floats.
std::string scalar_event(double wall_time, std::int64_t step, const Scalars& scalars);

class EventFileWriter {
 public:
  /// Makes events.out.tfevents.SECONDS.HOST.PID.N in folder (made where it is missing). first_step:
  /// the first that this session may report. Throws ModelError where it can't be written; so does
  /// write.
  EventFileWriter(const std::filesystem::path& folder, std::int64_t first_step);

  /// On disk when this returns.
  void write(std::int64_t step, const Scalars& scalars);

 private:
  void append(const std::string& event);

  std::filesystem::path file_;
  std::ofstream output_;
};

}  // namespace tfm
