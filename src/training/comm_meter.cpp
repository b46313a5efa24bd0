#include "tfm/training/comm_meter.h"

#include <utility>

#include "tfm/core/log.h"

namespace tfm {

std::optional<CommStats> CommMeter::per_update(const Reading& before, const Reading& now) const {
  if (ranks_ == 1 || now.step <= before.step) return std::nullopt;
  const auto updates = static_cast<double>(now.step - before.step);
  return CommStats{(now.traffic.bytes - before.traffic.bytes) / updates,
                   (now.traffic.wait_seconds - before.traffic.wait_seconds) / updates};
}

std::optional<CommStats> CommMeter::since_last(const CommStats& traffic, std::int64_t step) {
  const Reading now{traffic, step};
  return per_update(std::exchange(last_, now), now);
}

std::optional<CommStats> CommMeter::since_begin(const CommStats& traffic, std::int64_t step) const {
  return per_update(first_, {traffic, step});
}

void CommMeter::log_total(const CommStats& traffic, std::int64_t step) const {
  const auto cost = since_begin(traffic, step);
  if (!cost) return;
  log_info("communication: each of {} ranks sent {:.2f} MB and waited {:.1f} ms per update", ranks_,
           cost->bytes / 1e6, cost->wait_seconds * 1e3);
}

}  // namespace tfm
