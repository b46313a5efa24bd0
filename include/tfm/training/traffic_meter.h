// What an update costs in communication: the difference between two readings of World::traffic, per
// update. Nothing in a world of one.
#pragma once

#include <cstdint>
#include <optional>

#include "tfm/distributed/process_group.h"

namespace tfm {

class TrafficMeter {
 public:
  /// Counts from here; step: updates done.
  void begin(const World& world, std::int64_t step);
  /// Of one update, on average since the last call or the beginning.
  std::optional<Traffic> since_last(const World& world, std::int64_t step);
  /// Says on the log what an update has cost since the beginning.
  void log_total(const World& world, std::int64_t step) const;

 private:
  struct Reading {
    Traffic traffic;
    std::int64_t step = 0;
  };
  static std::optional<Traffic> per_update(const World& world, const Reading& before,
                                           std::int64_t step);

  Reading first_;
  Reading last_;
};

}  // namespace tfm
