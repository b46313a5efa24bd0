// The destination of a command's results: stdout, a file that appears when it is complete, or a
// file that a later session can resume (core/resumable_file.h). If the disk is full or the pipe is
// closed, the command fails with an error, so that no result is truncated silently.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "tfm/core/atomic_file.h"
#include "tfm/core/resumable_file.h"

namespace tfm {

/// The message of an interrupted command that does not write its output file.
inline constexpr const char* not_written_message = "interrupted: the output file was not written";

class Output {
 public:
  /// Writes to the file, or to stdout if the path is empty or "-". Throws ModelError if the file
  /// can't be written.
  explicit Output(const std::filesystem::path& file = {});

  /// Writes to a file that a later session of the same job can resume, and resumes it if an earlier
  /// session was stopped. Throws as ResumableFile does.
  Output(const std::filesystem::path& file, JobFingerprint job);

  void write(const std::string& text) { pending_ += text; }
  void line(const std::string& text) { pending_.append(text).append("\n"); }
  /// Writes all pending text to the file or to stdout. Throws DataError if stdout can't be written,
  /// and ModelError if the file can't be written.
  void flush();
  /// Flushes. If the output is resumable, also records that the results of the first `lines` lines
  /// of the input are complete.
  void complete(std::int64_t lines);
  /// Returns the number of input lines whose results are complete, including lines that
  /// earlier sessions completed. Returns 0 if the output is not resumable.
  std::int64_t lines_done() const { return resumable_ ? resumable_->records() : 0; }
  /// Throws Interrupted. If the output is resumable, its complete results are saved first;
  /// otherwise the output file is not written.
  [[noreturn]] void interrupt();
  /// Flushes. If the output is a file, gives it its final name.
  void finish();
  /// If the output is a file, installs signal handlers: an interrupt can then remove the temporary
  /// file, and the work continues if the reader of the log ends.
  void install_handlers() const;

 private:
  std::optional<AtomicFile> file_;
  std::unique_ptr<ResumableFile> resumable_;
  std::string pending_;
};

/// Writes the whole result of a command to stdout. Throws DataError if that fails.
void print_result(const std::string& text);

}  // namespace tfm
