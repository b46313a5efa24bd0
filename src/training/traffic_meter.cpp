#include "tfm/training/traffic_meter.h"

#include "tfm/core/log.h"

namespace tfm {

void TrafficMeter::begin(const World& world, std::int64_t step) {
  first_ = last_ = {world.traffic(), step};
}

std::optional<Traffic> TrafficMeter::per_update(const World& world, const Reading& before,
                                                std::int64_t step) {
  if (world.size() == 1 || step <= before.step) return std::nullopt;
  const auto updates = static_cast<double>(step - before.step);
  const auto now = world.traffic();
  return Traffic{(now.bytes - before.traffic.bytes) / updates,
                 (now.wait_seconds - before.traffic.wait_seconds) / updates};
}

std::optional<Traffic> TrafficMeter::since_last(const World& world, std::int64_t step) {
  const auto traffic = per_update(world, last_, step);
  last_ = {world.traffic(), step};
  return traffic;
}

void TrafficMeter::log_total(const World& world, std::int64_t step) const {
  const auto traffic = per_update(world, first_, step);
  if (!traffic) return;
  spdlog::info(
      "communication: each of {} ranks sent {:.2f} MB an update and waited {:.1f} ms for it",
      world.size(), traffic->bytes / 1e6, traffic->wait_seconds * 1e3);
}

}  // namespace tfm
