#include "tfm/run/retention.h"

#include <algorithm>

namespace tfm {
namespace {

std::vector<SavedCheckpoint> checkpoints_to_keep(std::span<const SavedCheckpoint> oldest_first,
                                                 const RetentionPolicy& policy) {
  std::vector<SavedCheckpoint> left(oldest_first.begin(), oldest_first.end());
  if (left.empty()) return left;
  const auto most = std::max<std::int64_t>(1, policy.count);
  // The search leaves out the last checkpoint, because the newest is always kept.
  const auto oldest = [&](bool scheduled) {
    return std::ranges::find(left.begin(), left.end() - 1, scheduled, &SavedCheckpoint::scheduled);
  };
  const auto found = [&](auto checkpoint) { return checkpoint != left.end() - 1; };
  while ((policy.scheduled_only || std::ssize(left) > most) && found(oldest(false)))
    left.erase(oldest(false));
  while (std::ranges::count(left, true, &SavedCheckpoint::scheduled) > most)
    left.erase(oldest(true));
  return left;
}

}  // namespace

std::vector<std::int64_t> to_remove(std::span<const SavedCheckpoint> oldest_first,
                                    const RetentionPolicy& policy) {
  const auto left = checkpoints_to_keep(oldest_first, policy);
  std::vector<std::int64_t> steps;
  for (const auto& checkpoint : oldest_first) {
    if (std::ranges::find(left, checkpoint.step, &SavedCheckpoint::step) == left.end())
      steps.push_back(checkpoint.step);
  }
  return steps;
}

std::optional<std::int64_t> rollback_target(std::span<const SavedCheckpoint> oldest_first,
                                            const Divergence& divergence) {
  std::vector<SavedCheckpoint> candidates(oldest_first.begin(), oldest_first.end());
  std::erase_if(candidates, [](const auto& checkpoint) { return checkpoint.skipped_updates > 0; });
  // Unscheduled checkpoints are used only if there are no others: an uninterrupted run would not
  // have saved them, or their weights may be invalid.
  if (std::ranges::any_of(candidates, &SavedCheckpoint::scheduled))
    std::erase_if(candidates, [](const auto& checkpoint) { return !checkpoint.scheduled; });
  if (candidates.empty()) return std::nullopt;
  const auto limit = rollback_limit(divergence);
  const auto target = std::ranges::find_if(
      candidates.rbegin(), candidates.rend(),
      [&](const auto& checkpoint) { return !limit || checkpoint.step < *limit; });
  return target == candidates.rend() ? candidates.front().step : target->step;
}

}  // namespace tfm
