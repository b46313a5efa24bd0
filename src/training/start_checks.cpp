#include "start_checks.h"

#include <algorithm>
#include <array>

#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/checksum.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/core/memory.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/preflight.h"

namespace tfm {
namespace {

/// Returns the checksum of everything that decides whether the checks succeed, except the free
/// memory.
std::uint32_t circumstances(const TranslationModel& model, const Fingerprints& fingerprints) {
  const auto text = fmt::format("{} {} {} {}\n{}", TFM_VERSION, describe_runtime(model.device),
                                fingerprints.data, fingerprints.metric, write_config(model.config));
  Crc32 sum;
  sum.add(text);
  return sum.value();
}

/// Returns whether the checks of the previous session need not be repeated. A session that was
/// killed may have lacked memory.
bool still_hold(const std::optional<StatusRecord>& previous, std::uint32_t now) {
  if (!previous || !previous->checks || previous->checks->circumstances != now) return false;
  const bool ended_well = previous->state == "finished" || previous->state == "interrupted";
  return ended_well && available_memory() >= static_cast<double>(previous->checks->memory);
}

}  // namespace

void check_start(const TranslationModel& model_spec, const CountedCorpus& corpus,
                 const Validator* valid, const Fingerprints& fingerprints, RunStatus& status) {
  const auto now = circumstances(model_spec, fingerprints);
  if (still_hold(status.previous(), now)) {
    log_debug("the previous session tried the longest batch and a translation");
    status.checked(*status.previous()->checks);
    return;
  }
  try {
    reset_peak_memory();
    const double before = peak_memory();
    const bool fits = run_preflight(model_spec, corpus, valid);
    const double taken = std::max(0.0, peak_memory() - before);
    if (fits) status.checked({.circumstances = now, .memory = static_cast<std::int64_t>(taken)});
  } catch (const Interrupted&) {  // NOLINT(bugprone-empty-catch)
    // The trainer will stop before its first update.
  }
  release_cached_memory();
}

void check_space(const TrainingConfig& config, std::int64_t parameters,
                 const std::filesystem::path& run_folder) {
  const auto need = estimate_disk_usage(config, parameters);
  check_disk(need, free_space(run_folder), run_folder);
  const auto bytes = [](double number) { return static_cast<std::int64_t>(number); };
  const std::array files{bytes(need.model), bytes(need.model), bytes(need.checkpoint - need.model)};
  try_to_reserve(run_folder / "checkpoints", files);
}

}  // namespace tfm
