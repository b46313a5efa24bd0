// An output file that a later process can resume after the process that was writing it stopped for
// any reason. FILE.part holds the output so far. FILE.part.journal holds the number of complete
// records in FILE.part, their length in bytes, and the fingerprint of the job; another job can't
// resume FILE.part. The journal is written only after the bytes that it counts are on disk. On
// resuming, FILE.part is truncated to these bytes. At the end, FILE.part is renamed to FILE, so
// FILE never has incomplete output.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tfm {

/// The properties that must not change between the sessions of a job. Each has a name that users
/// understand ("input file") and a value.
using JobFingerprint = std::vector<std::pair<std::string, std::string>>;

class ResumableFile {
 public:
  /// Resumes FILE.part if it has complete records, otherwise starts it from the beginning. Throws
  /// ConfigError if its complete records belong to another job (the message has the difference), if
  /// it has content but no journal, or if FILE exists and is not a regular file. Throws DataError
  /// if the journal is malformed, if it counts more bytes than FILE.part has, or if another process
  /// is writing FILE.part. Throws ModelError if a file can't be written.
  ResumableFile(std::filesystem::path file, JobFingerprint identity);
  ~ResumableFile();
  ResumableFile(const ResumableFile&) = delete;
  ResumableFile& operator=(const ResumableFile&) = delete;

  /// Returns the number of complete records: at first the number in the journal, later the last
  /// number passed to commit_records().
  std::int64_t records() const { return records_; }
  const std::filesystem::path& part() const { return part_; }

  /// Appends bytes to FILE.part. Throws ModelError on failure.
  void write(std::string_view bytes);
  /// Declares that everything written so far is `records` complete records. The journal is updated
  /// now, or with a later call if it was updated less than half a second ago.
  void commit_records(std::int64_t records);
  /// Updates the journal now, so that an orderly stop of the process loses nothing.
  void flush_journal();
  /// Renames FILE.part to FILE and removes the journal.
  void publish();

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
  std::int64_t bytes_ = 0;    // length of the complete records in bytes
  std::int64_t written_ = 0;  // length of FILE.part in bytes
  double saved_at_ = 0;
};

}  // namespace tfm
