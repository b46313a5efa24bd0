// Where a command's results go: stdout, a file that appears when it is complete, or one that also
// keeps what is done for a later session to go on with (core/resumable_file.h). A full disk or a
// closed pipe is an error, never a short result.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "tfm/core/atomic_file.h"
#include "tfm/core/resumable_file.h"

namespace tfm {

class Output {
 public:
  /// Empty: stdout. Throws ModelError at once where the file can't be written.
  explicit Output(const std::filesystem::path& file = {});

  /// Goes on with the file where an earlier session was stopped.
  Output(const std::filesystem::path& file, JobFingerprint work);

  void write(const std::string& text) { pending_ += text; }
  void line(const std::string& text) { pending_.append(text).append("\n"); }
  /// What was written so far goes to the file, or reaches the reader of stdout. Throws DataError
  /// where it can't.
  void flush();
  /// flush; the translations of the input's first `lines` lines are whole.
  void complete(std::int64_t lines);
  /// Lines that an earlier session has done.
  std::int64_t lines_done() const { return continued_ ? continued_->records() : 0; }
  /// Saves what is done, where that is wanted, and throws Interrupted, which tells what becomes of
  /// it.
  [[noreturn]] void interrupt();
  /// flush, and the file gets its name.
  void finish();

 private:
  std::optional<AtomicFile> file_;
  std::unique_ptr<ResumableFile> continued_;
  std::string pending_;
};

}  // namespace tfm
