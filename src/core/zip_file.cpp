#include "tfm/core/zip_file.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <ctime>
#include <exception>
#include <new>
#include <system_error>
#include <vector>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/mapped_file.h"

namespace tfm {

class ZipFile::Archive {
 public:
  explicit Archive(const std::filesystem::path& file) : name_(file.string()), file_(file) {
    if (writer_ == nullptr) throw std::bad_alloc();
    check(archive_write_set_format_zip(writer_.get()));
    archive_write_set_bytes_in_last_block(writer_.get(), 1);  // no padding
    check(archive_write_open(writer_.get(), this, nullptr, write_block, nullptr));
  }

  void add(const std::string& name, std::string_view content) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry{archive_entry_new(),
                                                                         archive_entry_free};
    if (entry == nullptr) throw std::bad_alloc();
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    constexpr int readable_by_all = 0644;
    archive_entry_set_perm(entry.get(), readable_by_all);
    archive_entry_set_mtime(entry.get(), std::time(nullptr), 0);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
    check(archive_write_header(writer_.get(), entry.get()));
    while (!content.empty()) {  // libarchive writes at most 2 GiB at a time
      const auto written = archive_write_data(writer_.get(), content.data(), content.size());
      if (written <= 0) fail();
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void commit() {
    check(archive_write_close(writer_.get()));
    file_.commit();
  }

 private:
  /// Writes bytes of libarchive to the file. An exception must not pass through its frames, which
  /// are C.
  static la_ssize_t write_block(archive*, void* self, const void* bytes, std::size_t count) {
    auto& archive = *static_cast<Archive*>(self);
    if (archive.error_) return -1;
    try {
      archive.file_.write(bytes, count);
    } catch (...) {
      archive.error_ = std::current_exception();
      return -1;
    }
    return static_cast<la_ssize_t>(count);
  }

  void check(int code) {
    if (code != ARCHIVE_OK) fail();
  }

  [[noreturn]] void fail() {
    if (error_) std::rethrow_exception(error_);
    const char* const reason = archive_error_string(writer_.get());
    throw ModelError(name_,
                     std::string("can't be written as a zip file: ") +
                         (reason != nullptr ? reason : "unknown error"),
                     "Name another file.");
  }

  std::string name_;
  AtomicFile file_;
  std::exception_ptr error_;  // thrown by file_ while libarchive wrote bytes
  // Freed first, because libarchive may write to file_ when it is freed.
  std::unique_ptr<archive, int (*)(archive*)> writer_{archive_write_new(), archive_write_free};
};

ZipFile::ZipFile(const std::filesystem::path& file) : archive_(std::make_unique<Archive>(file)) {}

ZipFile::~ZipFile() = default;

void ZipFile::add(const std::string& name, std::string_view content) {
  archive_->add(name, content);
}

void ZipFile::add_folder(const std::string& name, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code failed;
  std::filesystem::recursive_directory_iterator entry(folder, failed), end;
  for (; !failed && entry != end; entry.increment(failed)) {
    if (entry->is_regular_file(failed)) files.push_back(entry->path());
  }
  if (failed) throw ModelError(folder.string(), "can't be read: " + failed.message());
  std::ranges::sort(files);
  for (const auto& file : files) {
    const MappedFile content(file);
    add(name + "/" + file.lexically_relative(folder).generic_string(),
        {content.bytes(), content.size()});
  }
}

void ZipFile::commit() { archive_->commit(); }

}  // namespace tfm
