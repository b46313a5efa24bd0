#include "tfm/core/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "tfm/core/error.h"

namespace tfm {
namespace {

constexpr const char* replaced_prefix = "before-";
constexpr const char* temporary_infix = ".tmp-";  // followed by the process ID
constexpr const char* check_space = "Check free space and permissions.";

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code none;  // the file may not exist yet
  if (const auto target = std::filesystem::canonical(file_, none); !none) file_ = target;
  if (std::filesystem::is_directory(file_)) {
    errno = EISDIR;
    fail("can't be written");
  }
  if (!std::filesystem::exists(file_) || std::filesystem::is_regular_file(file_)) {
    temporary_ = file_;
    temporary_ += temporary_infix + std::to_string(::getpid());
  }
  const auto& opened = temporary_.empty() ? file_ : temporary_;
  descriptor_ = ::open(opened.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail("can't be written");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void* bytes, std::size_t count) {
  if (!write_all(descriptor_, {static_cast<const char*>(bytes), count}))
    fail("could not be written completely");
}

void AtomicFile::commit() {
  if (temporary_.empty()) return;
  if (::fsync(descriptor_) != 0) fail("could not be flushed to disk");
  ::close(descriptor_);
  descriptor_ = -1;
  if (::rename(temporary_.c_str(), file_.c_str()) != 0)
    fail("could not be renamed from its temporary file");
  temporary_.clear();
  sync_folder(file_.has_parent_path() ? file_.parent_path() : ".");
}

void AtomicFile::fail(std::string_view action) const {
  const int error = errno;
  throw ModelError(file_.string(), std::string(action) + ": " + std::strerror(error),
                   "Check free space and permissions of its folder.");
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void write_file(const std::filesystem::path& file, std::string_view content) {
  AtomicFile output(file);
  output.write(content.data(), content.size());
  output.commit();
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input || std::filesystem::is_directory(file))
    throw ModelError(file.string(), "can't be read", "Check that it exists and may be read.");
  return {std::istreambuf_iterator<char>(input), {}};
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw ModelError(folder.string(), "can't be created: " + error.message(), check_space);
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  // Some network file systems can't flush folders, and an unreadable folder can't be opened.
  const bool unsupported = error == EINVAL || error == ENOTSUP || error == EACCES;
  if (!synced && !unsupported)
    throw ModelError(folder.string(),
                     std::string("could not be flushed to disk: ") + std::strerror(error),
                     check_space);
}

void remove_tree(const std::filesystem::path& what) {
  std::error_code error;
  std::filesystem::remove_all(what, error);
  if (error) throw ModelError(what.string(), "can't be removed: " + error.message(), check_space);
}

void replace_folder(const std::filesystem::path& whole, const std::filesystem::path& name) {
  if (::renameat2(AT_FDCWD, whole.c_str(), AT_FDCWD, name.c_str(), RENAME_EXCHANGE) == 0) {
    sync_folder(name.parent_path());
    return remove_tree(whole);  // the replaced folder, after the exchange
  }
  // `name` does not exist yet, or the file system can't exchange names
  auto before = name.parent_path() / (replaced_prefix + name.filename().string());
  remove_tree(before);
  std::error_code none, error;
  std::filesystem::rename(name, before, none);
  std::filesystem::rename(whole, name, error);
  if (error) {
    std::filesystem::rename(before, name, none);
    throw ModelError(name.string(),
                     "could not be renamed from " + whole.string() + ": " + error.message(),
                     check_space);
  }
  sync_folder(name.parent_path());
  remove_tree(before);
}

void recover_replaced_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> replaced;
  std::error_code none;  // a missing folder needs no recovery
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (entry.path().filename().string().starts_with(replaced_prefix))
      replaced.push_back(entry.path());
  }
  for (const auto& before : replaced) {
    const auto name = folder / before.filename().string().substr(std::strlen(replaced_prefix));
    if (std::filesystem::exists(name)) {
      remove_tree(before);
      continue;
    }
    std::error_code error;
    std::filesystem::rename(before, name, error);
    if (error)
      throw ModelError(before.string(),
                       "could not be renamed to " + name.string() + ": " + error.message(),
                       check_space);
    sync_folder(folder);
  }
}

void remove_stale_temporaries(const std::filesystem::path& folder) {
  std::error_code none;  // a missing folder has no temporary files
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (entry.path().filename().string().find(temporary_infix) != std::string::npos)
      remove_tree(entry.path());
  }
}

}  // namespace tfm
