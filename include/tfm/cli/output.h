// Where a command's results go: stdout, or a file that appears when it is complete. A full disk or a closed pipe is an error, never a short result.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tfm/core/files.h"

namespace tfm {

class Output {
 public:
  /// Empty: stdout. Throws ModelError at once where the file can't be written.
  explicit Output(const std::filesystem::path& file = {});

  void write(const std::string& text);
  void line(const std::string& text) { write(text + "\n"); }
  /// What was written so far reaches the reader of stdout. Throws DataError where it can't.
  void flush() const;
  /// flush, and the file gets its name.
  void finish();

 private:
  std::optional<AtomicFile> file_;
};

}  // namespace tfm
