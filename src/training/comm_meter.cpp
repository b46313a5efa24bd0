#include "tfm/training/comm_meter.h"

#include "tfm/core/log.h"

namespace tfm {

void CommMeter::begin(const ProcessGroup& group, std::int64_t step) {
  first_ = last_ = {group.traffic(), step};
}

std::optional<CommStats> CommMeter::per_update(const ProcessGroup& group, const Reading& before,
                                               std::int64_t step) {
  if (group.size() == 1 || step <= before.step) return std::nullopt;
  const auto updates = static_cast<double>(step - before.step);
  const auto now = group.traffic();
  return CommStats{(now.bytes - before.traffic.bytes) / updates,
                   (now.wait_seconds - before.traffic.wait_seconds) / updates};
}

std::optional<CommStats> CommMeter::since_last(const ProcessGroup& group, std::int64_t step) {
  const auto traffic = per_update(group, last_, step);
  last_ = {group.traffic(), step};
  return traffic;
}

void CommMeter::log_total(const ProcessGroup& group, std::int64_t step) const {
  const auto traffic = per_update(group, first_, step);
  if (!traffic) return;
  spdlog::info(
      "communication: each of {} ranks sent {:.2f} MB an update and waited {:.1f} ms for it",
      group.size(), traffic->bytes / 1e6, traffic->wait_seconds * 1e3);
}

}  // namespace tfm
