#include "tfm/core/resumable_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "tfm/core/atomic_file.h"
#include "tfm/core/clock.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view heading = "tfm journal 1";

/// Replaces line breaks by spaces, because the journal has one line per value.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

fs::path with_ending(fs::path file, const char* ending) { return file += ending; }

std::string start_over_hint(const fs::path& part) {
  return "Remove " + part.string() + " to start from the beginning.";
}

}  // namespace

ResumableFile::ResumableFile(fs::path file, JobFingerprint identity)
    : file_(std::move(file)), identity_(std::move(identity)) {
  std::error_code none;  // `file_` is kept on an error: the file may not exist yet
  if (const auto target = fs::canonical(file_, none); !none) file_ = target;
  if (fs::exists(file_) && !fs::is_regular_file(file_))
    throw ConfigError("--resume", file_.string() + " is not a regular file",
                      "Name a regular file.");
  part_ = with_ending(file_, ".part");
  journal_ = with_ending(part_, ".journal");
  for (auto& [name, value] : identity_) value = one_line(value);
  try {
    open_part();
  } catch (...) {
    if (descriptor_ >= 0) ::close(descriptor_);  // releases the lock, too
    throw;
  }
}

ResumableFile::~ResumableFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ResumableFile::open_part() {
  const bool existed = fs::exists(part_);
  descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail("can't be written");
  lock();
  if (!existed || !read_journal()) {
    records_ = bytes_ = 0;
    flush_journal();
  }
  if (static_cast<std::int64_t>(fs::file_size(part_)) < bytes_) {
    throw DataError(part_.string(), "is shorter than its journal says", start_over_hint(part_));
  }
  if (::ftruncate(descriptor_, bytes_) != 0 || ::lseek(descriptor_, bytes_, SEEK_SET) < 0)
    fail("can't be written");
  written_ = bytes_;
}

/// Reads the journal of FILE.part. Returns true if it belongs to this job and counts at least one
/// complete record, false if no record is complete. Throws as the constructor does.
bool ResumableFile::read_journal() {
  if (!fs::exists(journal_)) {
    if (fs::file_size(part_) == 0) return false;  // the process stopped before it wrote a journal
    throw ConfigError(
        "--resume",
        part_.string() + " has no journal (" + journal_.string() + "), so it can't be resumed",
        start_over_hint(part_));
  }
  std::istringstream lines(read_file(journal_));
  std::string line;
  std::getline(lines, line);
  const bool known = line == heading && lines >> records_ >> bytes_ && std::getline(lines, line);
  if (!known || records_ < 0 || bytes_ < 0)
    throw DataError(journal_.string(), "is not a journal of this version", start_over_hint(part_));
  if (records_ == 0) return false;  // starting over loses no records, so any job may start over
  for (const auto& [name, value] : identity_) {
    if (std::getline(lines, line) && line == name + ": " + value) continue;
    throw ConfigError(
        "--resume",
        part_.string() + " was started with another " + name + " (" + line + "; now " + value + ")",
        "Repeat the command that started it, or remove " + part_.string() +
            " to start from the beginning.");
  }
  return true;
}

void ResumableFile::lock() {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  throw DataError(part_.string(), "is being written by another process",
                  "Wait until it has ended, or name another file.");
}

void ResumableFile::write(std::string_view bytes) {
  if (!write_all(descriptor_, bytes)) fail("could not be written completely");
  written_ += std::ssize(bytes);
}

void ResumableFile::commit_records(std::int64_t records) {
  constexpr double pause = 0.5;  // seconds between updates; each flushes to disk, which is slow
  records_ = records;
  bytes_ = written_;
  if (steady_seconds() - saved_at_ >= pause) flush_journal();
}

void ResumableFile::flush_journal() {
  if (::fdatasync(descriptor_) != 0) fail("could not be flushed to disk");
  std::string text =
      std::string(heading) + "\n" + std::to_string(records_) + " " + std::to_string(bytes_) + "\n";
  for (const auto& [name, value] : identity_)
    text.append(name).append(": ").append(value).append("\n");
  write_file(journal_, text);
  saved_at_ = steady_seconds();
}

void ResumableFile::publish() {
  if (::fsync(descriptor_) != 0) fail("could not be flushed to disk");
  if (::rename(part_.c_str(), file_.c_str()) != 0) fail("could not be renamed");
  sync_folder(file_.has_parent_path() ? file_.parent_path() : ".");
  remove_tree(journal_);
}

void ResumableFile::fail(std::string_view action) const { throw_unwritable(part_, action); }

}  // namespace tfm
