#include "output.h"

#include <fmt/format.h>

#include <iostream>

#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"

namespace tfm {

Output::Output(const std::filesystem::path& file) {
  if (!file.empty() && file != "-") file_.emplace(file);
}

Output::Output(const std::filesystem::path& file, JobFingerprint job)
    : resumable_(std::make_unique<ResumableFile>(file, std::move(job))) {}

void Output::flush() {
  if (resumable_) {
    resumable_->write(pending_);
  } else if (file_) {
    file_->write(pending_.data(), pending_.size());
  } else if (!std::cout.write(pending_.data(), static_cast<std::streamsize>(pending_.size()))
                  .flush()) {
    throw DataError("stdout", "can't be written", "Check the free space of its destination.");
  }
  pending_.clear();
}

void Output::complete(std::int64_t lines) {
  flush();
  if (resumable_) resumable_->commit_records(lines);
}

void Output::interrupt() {
  if (!resumable_) throw Interrupted(not_written_message);
  resumable_->flush_journal();
  throw Interrupted(fmt::format("interrupted: the translations of {} lines are kept in {}",
                                resumable_->records(), resumable_->part().string()),
                    "The same command resumes from there.");
}

void Output::finish() {
  flush();
  if (resumable_) resumable_->publish();
  if (file_) file_->commit();
}

void Output::install_handlers() const {
  if (!file_ && !resumable_) return;
  install_signal_handlers();
  ignore_broken_pipe();
}

void print_result(const std::string& text) {
  Output output;
  output.write(text);
  output.finish();
}

}  // namespace tfm
