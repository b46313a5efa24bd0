// Measures the communication cost per update: the difference between two readings of
// ProcessGroup::comm_stats, divided by the number of updates in between. A single process does not
// communicate, so its meter returns nullopt. The caller passes readings and steps that never
// decrease.
#pragma once

#include <cstdint>
#include <optional>

#include "tfm/distributed/process_group.h"

namespace tfm {

class CommMeter {
 public:
  explicit CommMeter(int ranks) : ranks_(ranks) {}

  /// Starts counting at the reading `traffic`. `step` is the number of updates so far.
  void begin(const CommStats& traffic, std::int64_t step) { first_ = last_ = {traffic, step}; }
  /// Returns the mean cost per update since the previous call of this function, or since begin() if
  /// there was none. Returns nullopt if there was no update in between.
  std::optional<CommStats> since_last(const CommStats& traffic, std::int64_t step);
  /// Returns the mean cost per update since begin(); nullopt if there was no update.
  std::optional<CommStats> since_begin(const CommStats& traffic, std::int64_t step) const;
  /// Logs the result of since_begin(), if any.
  void log_total(const CommStats& traffic, std::int64_t step) const;

 private:
  struct Reading {
    CommStats traffic;
    std::int64_t step = 0;
  };
  std::optional<CommStats> per_update(const Reading& before, const Reading& now) const;

  int ranks_;
  Reading first_;
  Reading last_;
};

}  // namespace tfm
