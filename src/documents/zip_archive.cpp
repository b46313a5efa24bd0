#include "zip_archive.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "tfm/core/error.h"

namespace tfm {
namespace {

constexpr const char* intact_hint = "Check that the file is complete and opens in its program.";

/// Returns true if a program that unpacks the archive would write outside of its folder.
bool leaves_archive(std::string_view path) {
  if (path.starts_with('/') || path.starts_with('\\') || path.find(':') == 1) return true;
  while (!path.empty()) {
    const auto end = std::min(path.find_first_of("/\\"), path.size());
    if (path.substr(0, end) == "..") return true;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return false;
}

}  // namespace

/// libzip's archive over bytes in memory.
class ZipArchive::Handle {
 public:
  /// Reads the archive. The bytes must outlive the handle.
  explicit Handle(std::string_view bytes) {
    open(zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error_));
  }
  /// Opens the archive to change it. libzip gets a copy of the bytes: libzip 1.7 frees the buffer
  /// of an archive that it writes, even if the buffer is not its own.
  struct ToChange {};
  Handle(std::string_view bytes, ToChange) {
    auto* const copy = static_cast<char*>(std::malloc(bytes.size()));
    if (copy == nullptr) throw std::bad_alloc();
    std::ranges::copy(bytes, copy);
    auto* const source = zip_source_buffer_create(copy, bytes.size(), 1, &error_);
    if (source == nullptr) std::free(copy);
    open(source);
  }
  ~Handle() {
    if (archive_ != nullptr) zip_discard(archive_);
    if (source_ != nullptr) zip_source_free(source_);
    zip_error_fini(&error_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  zip_t* get() const { return archive_; }

  std::string error() {
    return archive_ != nullptr ? zip_error_strerror(zip_get_error(archive_))
                               : zip_error_strerror(&error_);
  }

  void replace(zip_uint64_t index, const std::string& content) {
    zip_stat_t stat;
    const bool has_stat = zip_stat_index(archive_, index, 0, &stat) == 0;
    auto* const source = zip_source_buffer(archive_, content.data(), content.size(), 0);
    if (source == nullptr || zip_file_replace(archive_, index, source, 0) != 0) {
      zip_source_free(source);
      throw std::runtime_error(error());
    }
    if (has_stat && (stat.valid & ZIP_STAT_MTIME) != 0)
      zip_file_set_mtime(archive_, index, stat.mtime, 0);
  }

  /// Writes the changed archive, and returns its bytes.
  std::string close() {
    if (zip_close(archive_) != 0) throw std::runtime_error(error());
    archive_ = nullptr;
    zip_stat_t stat;
    std::string bytes;
    if (zip_source_open(source_) != 0) throw std::runtime_error("the result can't be read");
    if (zip_source_stat(source_, &stat) == 0) bytes.resize(stat.size);
    const auto read = zip_source_read(source_, bytes.data(), bytes.size());
    zip_source_close(source_);
    if (read != static_cast<zip_int64_t>(bytes.size()))
      throw std::runtime_error("the result can't be read");
    return bytes;
  }

 private:
  void open(zip_source_t* source) {
    source_ = source;
    if (source_ == nullptr) return;
    zip_source_keep(source_);  // it is read after zip_close
    archive_ = zip_open_from_source(source_, 0, &error_);
    if (archive_ == nullptr) zip_source_free(source_);
  }

  zip_error_t error_{};
  zip_source_t* source_ = nullptr;
  zip_t* archive_ = nullptr;
};

ZipArchive::ZipArchive(std::string name, std::string bytes, const ArchiveLimits& limits)
    : name_(std::move(name)), bytes_(std::move(bytes)) {
  if (bytes_.starts_with("\xD0\xCF\x11\xE0"))
    throw DataError(name_, "is encrypted, or in the binary format of older office programs",
                    "Save the document in the newer format, without a password.");
  if (bytes_.empty()) throw DataError(name_, "is empty", intact_hint);  // libzip accepts it
  archive_ = std::make_unique<Handle>(bytes_);
  if (archive_->get() == nullptr)
    throw DataError(name_, "is not a complete zip archive: " + archive_->error(), intact_hint);
  check_entries(limits);
}

ZipArchive::~ZipArchive() = default;

void ZipArchive::fail(const std::string& entry, const std::string& problem) const {
  throw DataError(name_ + ":" + entry, problem, intact_hint);
}

void ZipArchive::check_entries(const ArchiveLimits& limits) {
  const auto count = zip_get_num_entries(archive_->get(), 0);
  if (count < 0 || static_cast<std::uint64_t>(count) > limits.entries)
    throw DataError(name_,
                    fmt::format("has {} entries; at most {} are read", count, limits.entries));
  std::uint64_t total = 0;
  for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
    zip_stat_t stat;
    if (zip_stat_index(archive_->get(), i, 0, &stat) != 0 || (stat.valid & ZIP_STAT_SIZE) == 0)
      throw DataError(name_, fmt::format("has an entry (number {}) without a size", i + 1),
                      intact_hint);
    const std::string entry = stat.name;
    if (leaves_archive(entry)) fail(entry, "is a path that leaves the archive");
    if (stat.encryption_method != ZIP_EM_NONE)
      throw DataError(name_ + ":" + entry, "is encrypted", "Save the document without a password.");
    constexpr std::uint64_t always_small = std::uint64_t{1} << 20;
    const bool is_bomb = stat.size > always_small &&
                         stat.size / std::max<zip_uint64_t>(stat.comp_size, 1) > limits.ratio;
    total += std::min<std::uint64_t>(stat.size, limits.total_bytes + 1);
    if (stat.size > limits.entry_bytes || total > limits.total_bytes || is_bomb)
      fail(entry, fmt::format("has {} bytes when it is unpacked ({} in the archive), which exceeds "
                              "the limits on size and compression",
                              stat.size, stat.comp_size));
    entries_.push_back(entry);
    index_.emplace(entry, i);
  }
}

bool ZipArchive::has(std::string_view entry) const { return index_.contains(entry); }

std::uint64_t ZipArchive::find(const std::string& entry) const {
  const auto found = index_.find(entry);
  if (found == index_.end()) fail(entry, "is missing");
  return found->second;
}

std::string ZipArchive::read(const std::string& entry) const {
  const auto index = find(entry);
  zip_stat_t stat;
  zip_stat_index(archive_->get(), index, 0, &stat);
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file{
      zip_fopen_index(archive_->get(), index, 0), zip_fclose};
  if (file == nullptr) fail(entry, "can't be unpacked: " + archive_->error());
  std::string content;
  constexpr std::size_t block = std::size_t{1} << 16;
  // The size in the header may be wrong, so the memory grows with what is really there.
  while (content.size() <= stat.size) {
    const auto done = content.size();
    content.resize(done + block);
    const auto read = zip_fread(file.get(), content.data() + done, block);
    if (read < 0)
      fail(entry,
           std::string("can't be unpacked: ") + zip_error_strerror(zip_file_get_error(file.get())));
    content.resize(done + static_cast<std::size_t>(read));
    if (read == 0) break;
  }
  if (content.size() != stat.size) fail(entry, "has another size than the archive says");
  return content;
}

std::string ZipArchive::with_entries(const std::map<std::string, std::string>& replaced) const {
  if (replaced.empty()) return bytes_;
  Handle archive(bytes_, Handle::ToChange{});
  if (archive.get() == nullptr) throw DataError(name_, "can't be written: " + archive.error());
  try {
    for (const auto& [entry, content] : replaced) archive.replace(find(entry), content);
    return archive.close();
  } catch (const std::runtime_error& error) {
    throw DataError(name_, std::string("can't be written: ") + error.what());
  }
}

}  // namespace tfm
