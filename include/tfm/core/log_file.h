// A file that receives the messages of the log, in addition to the terminal: train.log of a run
// folder. Its lines have no colours, and each begins with the level, date and time of the message.
// Messages of level info and above are written even if the terminal shows only warnings (--quiet).
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tfm/core/log.h"

namespace tfm {

/// The log file of the process. Only one may exist at a time.
class LogFile {
 public:
  /// Starts to record messages in memory, because the folder of the file may not exist or be known
  /// yet.
  LogFile();
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// Appends the recorded messages to the file and, from then on, each message immediately. If the
  /// file can't be written, one warning follows the next message, and nothing more is written.
  void open(const std::filesystem::path& file);

 private:
  friend void write_to_log_file(LogLevel level, std::string_view text);
  void write(LogLevel level, std::string_view text);
  void append(const std::string& lines);

  std::filesystem::path file_;
  std::ofstream stream_;
  std::string recorded_;
  bool failed_ = false;
  bool warned_ = false;  // whether the failure was logged
};

/// Writes a message to the log file, if there is one, and not to the terminal. Control characters
/// are escaped as on the terminal. May be called by any thread.
void write_to_log_file(LogLevel level, std::string_view text);

/// Writes a message to the log file, and to the terminal only if debug messages are shown.
void log_for_file(std::string_view text);

}  // namespace tfm
