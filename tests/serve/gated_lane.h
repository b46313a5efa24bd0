// A lane of an engine that a test opens and watches: it records each batch, and waits before it
// returns until the test lets it. A line is its tag followed by its text, and its translation is
// the line in brackets.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "tfm/serve/engine.h"

namespace tfm {

class GatedLane {
 public:
  using Batch = std::vector<std::string>;

  explicit GatedLane(bool is_open = false) : is_open_(is_open) {}
  GatedLane(const GatedLane&) = delete;
  GatedLane& operator=(const GatedLane&) = delete;

  /// The lane throws for batches that contain "fail". The line "refuse" has an error.
  LanePointer lane() const { return lane_; }

  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  /// Waits until the lane has received `count` batches, and returns all.
  std::vector<Batch> wait_for_batches(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return batches_.size() >= count; });
    return batches_;
  }

 private:
  static Batch to_batch(const std::vector<LaneLine>& lines) {
    Batch batch;
    for (const auto& line : lines) batch.push_back(line.tag + line.text);
    return batch;
  }

  std::vector<LineTranslation> translate(const Batch& lines) {
    std::unique_lock lock(mutex_);
    batches_.push_back(lines);
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_open_; });
    std::vector<LineTranslation> results;
    for (const auto& line : lines) {
      if (line == "fail") throw std::runtime_error("a line fails");
      auto& result = results.emplace_back();
      if (line == "refuse") {
        result.error.emplace(400, "the line is refused");
      } else {
        result.candidates = {"[" + line + "]"};
      }
    }
    return results;
  }

  LanePointer lane_ = std::make_shared<Lane>(
      [this](const std::vector<LaneLine>& lines) { return translate(to_batch(lines)); });
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_;
  std::vector<Batch> batches_;
};

}  // namespace tfm
