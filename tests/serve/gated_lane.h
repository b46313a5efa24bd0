// A lane of an engine that a test opens and watches: it records each line, and waits before it
// returns until the test lets it. A line is its tag followed by its text, and its translation is
// the line in brackets.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "tfm/serve/engine.h"

namespace tfm {

class GatedLane {
 public:
  explicit GatedLane(bool is_open = false) : is_open_(is_open) {}
  GatedLane(const GatedLane&) = delete;
  GatedLane& operator=(const GatedLane&) = delete;

  /// The lane throws for the line "fail". The line "refuse" has an error.
  LanePointer lane() const { return lane_; }

  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  /// Waits until the lane has received `count` lines, and returns all.
  std::vector<std::string> wait_for_lines(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return lines_.size() >= count; });
    return lines_;
  }
  /// Returns the number of lines whose translation is not needed any longer.
  std::size_t stopped() const { return stopped_; }

 private:
  LineTranslation translate(const LaneLine& given) {
    const auto line = given.tags.source + given.text;
    std::unique_lock lock(mutex_);
    lines_.push_back(line);
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_open_; });
    if (given.stop.stop_requested()) ++stopped_;
    if (line == "fail") throw std::runtime_error("a line fails");
    LineTranslation result;
    if (line == "refuse") {
      result.error.emplace(400, "the line is refused");
    } else {
      result.candidates = {"[" + line + "]"};
    }
    return result;
  }

  LanePointer lane_ =
      std::make_shared<Lane>([this](const LaneLine& line) { return translate(line); });
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_;
  std::vector<std::string> lines_;
  std::atomic<std::size_t> stopped_{0};
};

}  // namespace tfm
