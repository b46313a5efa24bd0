// Atomic writes: a file is written under a temporary name in its folder, flushed to disk and
// renamed over the old one. A reader finds the old or the new file, never a part of it. This header
// also declares functions that create, replace and remove folders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace tfm {

/// Returns a new path for a temporary file or folder of tfm, in the same folder as `name`. Its last
/// component consists of a dot, the last component of `name`, ".tfm-tmp-" and 16 random hexadecimal
/// digits.
std::filesystem::path temporary_name(const std::filesystem::path& name);

/// Returns true if temporary_name(name) can return a path with the last component of `found`.
bool is_temporary_name(const std::filesystem::path& found, const std::filesystem::path& name);

/// A file that is being written. The destructor removes the temporary file unless commit() has
/// renamed it. The file keeps the permissions of the one that it replaces. Symbolic links are
/// followed; devices and pipes are written to directly. Every failure (no space, no permission)
/// throws ModelError with the file name.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path file);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends bytes.
  void write(const void* bytes, std::size_t count);
  /// Flushes the content to disk, renames the file to its final name and flushes the folder, so
  /// that the new name survives a power failure. Does nothing for devices and pipes.
  void commit();

 private:
  [[noreturn]] void fail(std::string_view action) const;

  std::filesystem::path file_;
  std::filesystem::path temporary_;  // empty if the file is written to directly
  int descriptor_ = -1;
};

/// Throws ModelError: `action` (such as "can't be written") failed for the reason in errno. If the
/// folder of the file does not exist, the message names the folder.
[[noreturn]] void throw_unwritable(const std::filesystem::path& file, std::string_view action);

/// Writes all bytes to an open file, continuing after interrupted system calls. On failure, returns
/// false and leaves the reason in errno.
bool write_all(int descriptor, std::string_view bytes);

/// Replaces the content of the file atomically. Throws ModelError on failure.
void write_file(const std::filesystem::path& file, std::string_view content);

/// Returns the content of the file. Throws ModelError if it can't be read.
std::string read_file(const std::filesystem::path& file);

/// Creates the folder and its missing parents. Throws ModelError on failure.
void make_folder(const std::filesystem::path& folder);

/// Flushes a folder's entries to disk, so that a new name in it survives a power failure. Throws
/// ModelError on failure.
void sync_folder(const std::filesystem::path& folder);

/// Removes a file, or a folder with its content, if it exists. Throws ModelError on failure.
void remove_tree(const std::filesystem::path& what);

/// Renames the complete folder `whole` to `name`, replacing a folder of that name, and flushes the
/// change to disk. The replacement is atomic if the file system can exchange two names. Throws
/// ModelError on failure.
void replace_folder(const std::filesystem::path& whole, const std::filesystem::path& name);

/// Repairs `folder` if a process was killed while replace_folder replaced one of its subfolders on
/// a file system that cannot exchange names. The replaced subfolder gets its name back; if the new
/// one already has this name, the replaced one is removed. No other process may write to `folder`.
/// Throws ModelError on failure.
void recover_replaced_folder(const std::filesystem::path& folder);

/// Removes the files and folders in `folder` that a killed process left under names of
/// temporary_name(). No other process may write to `folder`. Throws ModelError on failure.
void remove_stale_temporaries(const std::filesystem::path& folder);

/// Reserves space for files of these sizes in bytes in the folder, and releases it at once. Creates
/// the folder if it does not exist. Throws ModelError if it can't be written or has no space for
/// them. Many file systems do this in milliseconds; on those that can't, tests only that files can
/// be created.
void try_to_reserve(const std::filesystem::path& folder, std::span<const std::int64_t> sizes);

/// A new folder with a temporary_name(). The destructor removes it with its content.
class ScratchFolder {
 public:
  /// Creates the folder temporary_name(name). Throws ModelError on failure.
  explicit ScratchFolder(const std::filesystem::path& name);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace tfm
