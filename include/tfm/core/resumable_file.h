// A file that a later process can go on writing where this one was stopped, however it was stopped.
// Beside FILE stand FILE.part, what was written so far, and FILE.part.journal, which says how many
// records of the work are whole in it, their length in bytes, and what the work is: another work's
// part is refused. The journal is written after the bytes that it counts are on disk; what stands
// behind them is cut off when the work goes on. At the end FILE.part gets the name FILE, so FILE is
// whole or not there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tfm {

/// What must be the same for a work to go on: names that a user understands ("input file") and
/// values.
using JobFingerprint = std::vector<std::pair<std::string, std::string>>;

class ResumableFile {
 public:
  /// Goes on with FILE.part where it holds a record, else begins it. Throws ConfigError where it
  /// belongs to another work (says what differs) or FILE is no regular file, DataError where part
  /// and journal don't fit or another process is at it, ModelError where they can't be written.
  ResumableFile(std::filesystem::path file, JobFingerprint identity);
  ~ResumableFile();
  ResumableFile(const ResumableFile&) = delete;
  ResumableFile& operator=(const ResumableFile&) = delete;

  /// Records that are whole: as found at the beginning, then as last told.
  std::int64_t records() const { return records_; }
  const std::filesystem::path& part() const { return part_; }

  void write(std::string_view bytes);
  /// All that was written so far are so many records. Goes to the journal at once, or with a later
  /// one where the last is younger than half a second.
  void complete(std::int64_t records);
  /// Takes the journal to what complete told last: a process that stops in good order loses
  /// nothing.
  void save();
  /// Gives the file its name and removes the journal.
  void finish();

 private:
  void open_part();
  void lock();
  bool read_journal();
  [[noreturn]] void fail(std::string_view action) const;

  std::filesystem::path file_;
  std::filesystem::path part_;
  std::filesystem::path journal_;
  JobFingerprint identity_;
  int descriptor_ = -1;
  std::int64_t records_ = 0;
  std::int64_t bytes_ = 0;    // of the records
  std::int64_t written_ = 0;  // of the part
  double saved_at_ = 0;
};

}  // namespace tfm
