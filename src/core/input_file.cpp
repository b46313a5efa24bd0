#include "tfm/core/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/core/spelling.h"

namespace tfm {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view action) {
  const int error = errno;
  throw DataError(file.string(), std::string(action) + ": " + std::strerror(error),
                  "Check the path and the permissions of the file.");
}

// Without O_NONBLOCK, opening a named pipe waits for its writer, and no signal handler can end
// the wait.
int open_to_read(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file != standard_input) return descriptor;
  // A socket can't be opened by a path.
  if (descriptor < 0) return ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  // Another program may have read the first lines of a file. Pipes have no position, and ignore it.
  ::lseek(descriptor, ::lseek(STDIN_FILENO, 0, SEEK_CUR), SEEK_SET);
  return descriptor;
}

bool has_data(int descriptor, int milliseconds) {
  pollfd entry{.fd = descriptor, .events = POLLIN, .revents = 0};
  return ::poll(&entry, 1, milliseconds) > 0;
}

}  // namespace

InputFile::InputFile(std::filesystem::path file, OnWait on_wait)
    : file_(std::move(file)), on_wait_(std::move(on_wait)) {
  if (std::filesystem::is_directory(file_))
    throw DataError(file_.string(), "is a folder, not a file", "Name a file inside it.");
  descriptor_ = open_to_read(file_);
  if (descriptor_ < 0) fail(file_, "can't be opened");
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t InputFile::read(char* bytes, std::size_t capacity) {
  for (;;) {
    wait_for_data();
    const ssize_t count = ::read(descriptor_, bytes, capacity);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR && errno != EAGAIN) fail(file_, "can't be read");
  }
}

// Waits in short slices, because poll() does not notice a signal that arrives right before the
// call.
void InputFile::wait_for_data() {
  constexpr int slice = 200;            // milliseconds
  constexpr int slices_until_log = 10;  // two seconds
  if (on_wait_ && !has_data(descriptor_, 0)) on_wait_();
  for (int slices = 0; !has_data(descriptor_, slice); ++slices) {
    if (interrupt_requested()) throw Interrupted("interrupted while waiting for " + file_.string());
    if (!on_wait_ && slices + 1 == slices_until_log)
      log_info("waiting for {} to be written", file_.string());
  }
}

std::string read_text_file(const std::filesystem::path& file, std::size_t limit) {
  InputFile input(file);
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (const std::size_t count = input.read(buffer.data(), buffer.size())) {
    if (count > limit - text.size())
      throw DataError(file.string(), "has more than " + format_bytes(static_cast<double>(limit)));
    text.append(buffer.data(), count);
  }
  return text;
}

std::filesystem::path nearest_file(const std::filesystem::path& file) {
  std::vector<std::string> names;
  std::error_code none;  // ignored: a missing folder has no files
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const auto extension = entry.path().extension().string();
    if (entry.is_regular_file(none) && edit_distance(extension, file.extension().string()) <= 1)
      names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);  // so that the choice does not depend on the file system
  const auto nearest = nearest_name(file.filename().string(), names);
  return nearest.empty() ? std::filesystem::path() : file.parent_path() / nearest;
}

bool is_stream(const std::filesystem::path& file) {
  return std::filesystem::exists(file) && !std::filesystem::is_regular_file(file) &&
         !std::filesystem::is_directory(file);
}

void require_regular_file(const std::filesystem::path& file, const char* reason) {
  std::error_code none;
  if (std::filesystem::exists(file, none) && !std::filesystem::is_regular_file(file, none))
    throw DataError(file.string(), "is not a regular file",
                    std::string(reason) + " Write it to a file first.");
}

}  // namespace tfm
