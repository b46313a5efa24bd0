#include "tfm/run/scores_by_step.h"

#include <string>
#include <tuple>
#include <utility>

#include "run_events.h"
#include "tfm/config/config_file.h"
#include "tfm/model/model_files.h"
#include "tfm/model/validation_metrics.h"

namespace tfm {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::map<std::int64_t, double> scores_by_step(const fs::path& run_folder) {
  const auto& metric = validation_metric(load_config(run_folder / config_file).training.best_by);
  using Scores = std::map<std::int64_t, double>;
  // Both maps have the metric's fingerprint as their key. `kept` holds the scores that come from
  // best_validation fields.
  std::map<std::string, Scores> scores, kept;
  std::string fingerprint;  // empty before the first metric change
  const auto note = [&](const ordered_json& validation, Scores& known) {
    const auto score = validation.find(metric.key);
    if (score == validation.end() || !score->is_number()) return;
    known.try_emplace(validation.value("step", std::int64_t{0}),
                      metric.to_score(score->get<double>()));
  };
  for_each_event(run_folder, [&](const ordered_json& event, const std::string&) {
    const auto kind = event.value("event", "");
    if (is_metric_change(kind)) {
      const auto before = event.value("before", "");
      if (fingerprint.empty())
        std::tie(scores[before], kept[before]) =
            std::pair(std::move(scores[fingerprint]), std::move(kept[fingerprint]));
      fingerprint = event.value("now", "");
    }
    if (event.contains("best_validation")) note(event["best_validation"], kept[fingerprint]);
    if (kind == "validation") note(event, scores[fingerprint]);
  });
  scores[fingerprint].merge(kept[fingerprint]);
  return scores[fingerprint];
}

}  // namespace tfm
