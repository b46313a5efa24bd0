#include "log_scan.h"

#include "fingerprint_hex.h"
#include "run_events.h"

namespace tfm {

LogScan scan_log(const std::filesystem::path& run_folder, const TrainerState& checkpoint,
                 bool repeats_validation) {
  using nlohmann::ordered_json;
  const auto metric = checkpoint.fingerprints.metric;
  LogScan scan;
  bool other_metric = false;  // whether events from here on use another metric than the checkpoint
  for_each_event(run_folder, [&](const ordered_json& event, const std::string& line) {
    const auto step = event.value("step", std::int64_t{0});
    const auto kind = event.value("event", "");
    if (step == checkpoint.step && is_metric_change(kind))
      other_metric = metric != 0 && event.value("now", "") != to_hex(metric);
    const bool stays = !other_metric && !(repeats_validation && kind == "validation");
    if (step > checkpoint.step || (step == checkpoint.step && !stays)) return;
    scan.kept += line + "\n";
    if (kind == "run") scan.facts = run_facts_from(event);
    if (is_metric_change(kind)) scan.best_event.clear();
    if (event.contains("best_validation")) scan.best_event = event["best_validation"].dump();
    if (kind == "validation" && event.value("best", false)) scan.best_event = line;
  });
  return scan;
}

}  // namespace tfm
