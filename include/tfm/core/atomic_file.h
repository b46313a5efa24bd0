// Files that are whole or not there: written under a temporary name in the same folder, flushed to
// disk, then renamed over the old one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace tfm {

/// A file being written; what was not committed is removed. A link is followed; a device or pipe is
/// written to directly. Every failure (no space, no permission) throws ModelError that names the
/// file.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path file);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* bytes, std::size_t count);
  /// Flushes to disk and gives the file its name; the name is on disk too when this returns.
  void commit();

 private:
  [[noreturn]] void fail(std::string_view action) const;

  std::filesystem::path file_;
  std::filesystem::path temporary_;  // empty where the file is written to directly
  int descriptor_ = -1;
};

/// Writes all of it to an open file, also after interruptions. False where the file takes no more;
/// errno says why.
bool write_all(int descriptor, std::string_view bytes);

void write_file(const std::filesystem::path& file, std::string_view content);

/// The whole file. Throws ModelError.
std::string read_file(const std::filesystem::path& file);

/// Creates the folder and its parents. Throws ModelError.
void make_folder(const std::filesystem::path& folder);

/// Flushes a folder's entries to disk: a new name in it outlives a power cut. Throws ModelError.
void sync_folder(const std::filesystem::path& folder);

/// Removes a file or a folder with all it holds, if it is there. Throws ModelError.
void remove_tree(const std::filesystem::path& what);

/// Gives a whole folder its name, durably, in place of one that may have it already, at one stroke
/// where the file system can. Throws ModelError.
void replace_folder(const std::filesystem::path& whole, const std::filesystem::path& name);

/// Gives what replace_folder was replacing in the folder its name back, where a kill left
/// nothing under it (on file systems that can't do it at one stroke). Only for a folder that nobody
/// else writes to. Throws ModelError.
void recover_replaced_folder(const std::filesystem::path& folder);

/// Removes what an AtomicFile whose process was killed left in the folder. Only for a folder that
/// nobody else writes to.
void remove_stale_temporaries(const std::filesystem::path& folder);

/// A folder that is removed with everything in it when this object is destroyed.
class ScratchFolder {
 public:
  /// In place of one that a killed process may have left. Throws ModelError.
  explicit ScratchFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
    remove_tree(folder_);
    make_folder(folder_);
  }
  ~ScratchFolder() {
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace tfm
