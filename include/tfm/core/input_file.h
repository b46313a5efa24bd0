// A file that is read once, from its start to its end: a regular file, a device, a named pipe or
// standard input. A read that has waited for data for two seconds logs the name of the file, and
// Ctrl-C ends the wait.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

namespace tfm {

/// The path of standard input, which users write as "-".
inline constexpr const char* standard_input = "/dev/stdin";

/// Is called each time a read has to wait for data, before the wait. What has been read until then
/// can be answered now. The wait is then expected and not logged.
using OnWait = std::function<void()>;

class InputFile {
 public:
  /// Opens the file without waiting for the writer of a named pipe. Throws DataError if the file is
  /// a folder or can't be opened.
  explicit InputFile(std::filesystem::path file, OnWait on_wait = {});
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Reads at most `capacity` bytes and returns their number, or 0 at the end of the file. Throws
  /// DataError if the file can't be read, and Interrupted if a signal ends the wait for data.
  std::size_t read(char* bytes, std::size_t capacity);

  const std::filesystem::path& file() const { return file_; }

 private:
  void wait_for_data();

  std::filesystem::path file_;
  OnWait on_wait_;
  int descriptor_ = -1;
};

/// Returns all bytes of the file. Throws as InputFile does, and DataError if the file has more than
/// `limit` bytes.
std::string read_text_file(const std::filesystem::path& file,
                           std::size_t limit = std::numeric_limits<std::size_t>::max());

/// Returns the file in the same folder that a misspelt name probably stands for ("my.yaml" for
/// "my.yml"), or an empty path. Ignores names whose extensions differ by more than a letter,
/// because train.de and train.en are different files.
std::filesystem::path nearest_file(const std::filesystem::path& file);

/// Returns true if the file is a pipe or a device, which may be readable only once.
bool is_stream(const std::filesystem::path& file);

/// Throws DataError if the file exists but is not a regular file: a named pipe, for example, can be
/// read only once. `reason` is a full sentence that explains why tfm reads the file more than once.
void require_regular_file(const std::filesystem::path& file, const char* reason);

}  // namespace tfm
