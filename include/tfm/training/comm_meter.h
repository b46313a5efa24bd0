// What an update costs in communication: the difference between two readings of
// ProcessGroup::traffic, per update. Nothing in a group of one.
#pragma once

#include <cstdint>
#include <optional>

#include "tfm/distributed/process_group.h"

namespace tfm {

class CommMeter {
 public:
  /// Counts from here; step: updates done.
  void begin(const ProcessGroup& group, std::int64_t step);
  /// Of one update, on average since the last call or the beginning.
  std::optional<CommStats> since_last(const ProcessGroup& group, std::int64_t step);
  /// Says on the log what an update has cost since the beginning.
  void log_total(const ProcessGroup& group, std::int64_t step) const;

 private:
  struct Reading {
    CommStats traffic;
    std::int64_t step = 0;
  };
  static std::optional<CommStats> per_update(const ProcessGroup& group, const Reading& before,
                                             std::int64_t step);

  Reading first_;
  Reading last_;
};

}  // namespace tfm
