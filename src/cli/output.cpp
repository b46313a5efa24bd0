#include "output.h"

#include <fmt/format.h>

#include <iostream>

#include "tfm/core/error.h"

namespace tfm {

Output::Output(const std::filesystem::path& file) {
  if (!file.empty()) file_.emplace(file);
}

Output::Output(const std::filesystem::path& file, JobFingerprint work)
    : continued_(std::make_unique<ResumableFile>(file, std::move(work))) {}

void Output::flush() {
  if (continued_) {
    continued_->write(pending_);
  } else if (file_) {
    file_->write(pending_.data(), pending_.size());
  } else if (!std::cout.write(pending_.data(), static_cast<std::streamsize>(pending_.size()))
                  .flush()) {
    throw DataError("stdout", "can't be written", "Check free space where it goes.");
  }
  pending_.clear();
}

void Output::complete(std::int64_t lines) {
  flush();
  if (continued_) continued_->complete(lines);
}

void Output::interrupt() {
  if (!continued_) throw Interrupted("interrupted: the output file was not written");
  continued_->save();
  throw Interrupted(fmt::format("interrupted: the translations of {} lines are kept in {}",
                                continued_->records(), continued_->part().string()),
                    "Give the same command again to go on.");
}

void Output::finish() {
  flush();
  if (continued_) continued_->finish();
  if (file_) file_->commit();
}

}  // namespace tfm
