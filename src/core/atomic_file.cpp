#include "tfm/core/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

#include "tfm/core/error.h"
#include "tfm/core/input_file.h"

namespace tfm {
namespace {

constexpr std::string_view replaced_ending = ".tfm-replaced";
constexpr std::string_view temporary_mark = ".tfm-tmp-";
constexpr std::size_t random_digits = 16;
constexpr const char* check_space = "Check free space and permissions.";

/// Returns the path with the ending appended and with a dot before its last component, so that
/// patterns such as step-* do not match it.
std::filesystem::path hidden(const std::filesystem::path& name, std::string_view ending) {
  return name.parent_path() / fmt::format(".{}{}", name.filename().string(), ending);
}

bool has_temporary_form(const std::string& name) {
  constexpr std::size_t ending = temporary_mark.size() + random_digits;
  return name.starts_with('.') && name.size() > ending + 1 &&
         name.compare(name.size() - ending, temporary_mark.size(), temporary_mark) == 0 &&
         name.find_first_not_of("0123456789abcdef", name.size() - random_digits) == name.npos;
}

/// Opens a new file under a temporary name. O_EXCL and O_NOFOLLOW prevent writing through a link
/// that another user has created under this name.
int open_temporary(const std::filesystem::path& file, std::filesystem::path& temporary) {
  for (;;) {
    temporary = temporary_name(file);
    const int descriptor =
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
}

}  // namespace

std::filesystem::path temporary_name(const std::filesystem::path& name) {
  std::random_device random;
  const auto number = std::uint64_t{random()} << 32 | random();
  return hidden(name, fmt::format("{}{:016x}", temporary_mark, number));
}

bool is_temporary_name(const std::filesystem::path& found, const std::filesystem::path& name) {
  const auto text = found.filename().string();
  const auto beginning = hidden(name, temporary_mark).filename().string();
  return has_temporary_form(text) && text.starts_with(beginning) &&
         text.size() == beginning.size() + random_digits;
}

AtomicFile::AtomicFile(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code none;  // `file_` is kept on an error: the file may not exist yet
  if (const auto target = std::filesystem::canonical(file_, none); !none) file_ = target;
  if (std::filesystem::is_directory(file_)) {
    errno = EISDIR;
    fail("can't be written");
  }
  const bool replaces = !std::filesystem::exists(file_) || std::filesystem::is_regular_file(file_);
  descriptor_ =
      replaces ? open_temporary(file_, temporary_) : ::open(file_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail("can't be written");
  // The new file must not be readable by users who could not read the replaced one.
  struct stat before{};
  if (replaces && ::stat(file_.c_str(), &before) == 0) ::fchmod(descriptor_, before.st_mode & 0777);
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

void AtomicFile::fail(std::string_view action) const { throw_unwritable(file_, action); }

void throw_unwritable(const std::filesystem::path& file, std::string_view action) {
  const int error = errno;
  const auto folder = file.parent_path();
  std::error_code none;
  if (error == ENOENT && !folder.empty() && !std::filesystem::exists(folder, none))
    throw ModelError(file.string(),
                     fmt::format("{}: the folder {} does not exist", action, folder.string()),
                     "Create it with mkdir -p, or name a file in another folder.");
  throw ModelError(file.string(), fmt::format("{}: {}", action, std::strerror(error)),
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
  try {
    return read_text_file(file);
  } catch (const DataError& error) {
    throw ModelError(error.where(), error.problem(), error.hint());
  }
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
    return remove_tree(whole);  // after the exchange, `whole` is the replaced folder
  }
  // `name` does not exist yet, or the file system can't exchange names
  const auto before = hidden(name, replaced_ending);
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
  std::error_code none;  // ignored: a missing folder needs no recovery
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (const auto found = entry.path().filename().string();
        found.starts_with('.') && found.ends_with(replaced_ending))
      replaced.push_back(entry.path());
  }
  for (const auto& before : replaced) {
    const auto name = folder / before.stem().string().substr(1);
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
  std::error_code none;  // ignored: a missing folder has no temporary files
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (has_temporary_form(entry.path().filename().string())) remove_tree(entry.path());
  }
}

void try_to_reserve(const std::filesystem::path& folder, std::span<const std::int64_t> sizes) {
  const ScratchFolder scratch(folder / "space");
  std::size_t number = 0;
  for (const auto size : sizes) {
    const auto file = scratch.path() / std::to_string(number++);
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    int error = descriptor < 0 ? errno : 0;
    while (error == 0 && ::fallocate(descriptor, 0, 0, size) != 0) {
      if (errno != EINTR) error = errno;
    }
    if (descriptor >= 0) ::close(descriptor);
    const bool unsupported = error == EOPNOTSUPP || error == ENOSYS || error == EINVAL;
    if (error != 0 && !unsupported)
      throw ModelError(
          folder.string(),
          fmt::format("has no space for a file of {} bytes: {}", size, std::strerror(error)),
          check_space);
  }
}

ScratchFolder::ScratchFolder(const std::filesystem::path& name) : folder_(temporary_name(name)) {
  make_folder(folder_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code none;
  std::filesystem::remove_all(folder_, none);
}

}  // namespace tfm
