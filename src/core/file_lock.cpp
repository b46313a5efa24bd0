#include "tfm/core/file_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tfm/core/error.h"

namespace tfm {
namespace {

/// Describes a write lock on the whole file, for F_OFD_SETLK. That lock belongs to the open file
/// description. A lock by F_SETLK would be released as soon as the process closes any descriptor of
/// the file.
struct flock whole_file() {
  struct flock range{};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  return range;
}

/// Returns the process ID that the last holder wrote, or 0 if the file has none.
pid_t written_pid(int descriptor) {
  std::array<char, 24> text{};
  const ssize_t count = ::pread(descriptor, text.data(), text.size() - 1, 0);
  return count > 0 ? static_cast<pid_t>(std::strtol(text.data(), nullptr, 10)) : 0;
}

[[noreturn]] void fail(const std::filesystem::path& file, const char* what, int error) {
  throw ModelError(file.string(), std::string(what) + ": " + std::strerror(error),
                   "Check free space, permissions and the file system of its folder.");
}

[[noreturn]] void refuse(const std::filesystem::path& file, pid_t pid) {
  const auto id = std::to_string(pid);
  throw ModelError(file.parent_path().string(),
                   pid > 0 ? "is in use by process " + id : "is in use by another process",
                   "Wait until it ends, stop it" + (pid > 0 ? " (kill " + id + ")" : "") +
                       ", or use another folder.");
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& file)
    : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) fail(file, "can't be written", errno);
  auto range = whole_file();
  const std::string pid = std::to_string(::getpid()) + "\n";
  const bool locked = ::fcntl(descriptor_, F_OFD_SETLK, &range) == 0;
  if (locked && ::ftruncate(descriptor_, 0) == 0 &&
      ::pwrite(descriptor_, pid.data(), pid.size(), 0) == std::ssize(pid))
    return;
  const int error = errno;
  const pid_t holder = locked ? 0 : written_pid(descriptor_);
  ::close(descriptor_);
  if (!locked && (error == EAGAIN || error == EACCES)) refuse(file, holder);
  fail(file, locked ? "can't be written" : "can't be locked", error);
}

FileLock::~FileLock() { ::close(descriptor_); }

std::optional<pid_t> FileLock::holder(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  auto range = whole_file();
  // F_OFD_GETLK queries the lock without taking it.
  const bool held = ::fcntl(descriptor, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
  const auto pid = written_pid(descriptor);
  ::close(descriptor);
  return held ? std::optional(pid) : std::nullopt;
}

void FileLock::require_free(const std::filesystem::path& file) {
  if (const auto pid = holder(file)) refuse(file, *pid);
}

}  // namespace tfm
