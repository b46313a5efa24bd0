#include "tfm/run/run_page_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "run_events.h"
#include "tfm/config/config_diff.h"
#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/core/log.h"
#include "tfm/data/language_pair.h"
#include "tfm/model/model_files.h"
#include "tfm/model/model_record.h"
#include "tfm/model/validation_metrics.h"
#include "tfm/pages/page_time.h"
#include "tfm/run/run_facts.h"
#include "tfm/run/run_status.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t max_points = 1500;  // per curve; a chart is fewer pixels wide

double number(const ordered_json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>()
                                                     : std::numeric_limits<double>::quiet_NaN();
}

std::string curve_key(const ValidationMetric& metric) { return std::string("valid_") + metric.key; }

std::string describe_chart(const ValidationMetric& metric) {
  return fmt::format("On the validation data, {}: {} is better.", metric.scale,
                     metric.higher_is_better ? "higher" : "lower");
}

/// Adds a point to a curve. A second value of the same step replaces the first.
void add_point(RunCurve& curve, std::int64_t step, double value) {
  if (!curve.points.empty() && curve.points.back().first == step) curve.points.pop_back();
  curve.points.emplace_back(step, value);
}

/// Reduces a curve to at most max_points + 1 points: every n-th one, and the last.
void thin(RunCurve& curve) {
  const auto stride = (curve.points.size() + max_points - 1) / max_points;
  if (stride < 2) return;
  auto& points = curve.points;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % stride == 0 || i + 1 == points.size()) points[kept++] = points[i];
  }
  points.resize(kept);
}

/// Collects the page's data from the events of metrics.jsonl, in order.
class RunReader {
 public:
  void add(const ordered_json& event) {
    const auto kind = event.value("event", "");
    step_ = event.value("step", std::int64_t{0});
    if (kind == "run") facts_ = run_facts_from(event);
    if (kind == "step") add_step(event);
    if (kind == "epoch")
      add_point(curve("epoch_loss", "training, by epoch"), step_, number(event, "loss"));
    if (kind == "validation") add_validation(event);
    if (is_metric_change(kind)) kept_step_.reset();
    if (event.contains("best_validation")) note_best(event["best_validation"]);
  }

  /// Uses the training time that was recorded at the end of the run, because it includes the last
  /// validation, unlike the times in the events.
  void set_end(const TrainingRecord& end) { seconds_ = std::max(seconds_, end.seconds); }

  RunPageData page_data() {
    RunPageData report;
    report.best_step = best_step_;
    report.charts = {
        chart("Loss", "Nats per target token. Only the training loss is label-smoothed.",
              {"loss", "epoch_loss", curve_key(validation_metric(BestBy::loss))}),
    };
    for (const auto& metric : validation_metrics) {
      if (metric.keyword != BestBy::loss)
        report.charts.push_back(chart(metric.name, describe_chart(metric), {curve_key(metric)}));
    }
    report.charts.insert(
        report.charts.end(),
        {chart("Learning rate", "The value at the last update before each point.",
               {"learning_rate"}),
         chart("Gradient norm", "The norm of all gradients together, before clipping.",
               {"gradient_norm"}),
         chart("Speed", "Source and target tokens per second.", {"tokens_per_second"})});
    std::erase_if(report.charts, [](const RunChart& chart) { return chart.curves.empty(); });
    report.samples = std::move(samples_);
    report.results = results();
    report.facts = describe(facts_);
    return report;
  }

  std::int64_t step() const { return step_; }

 private:
  RunCurve& curve(const std::string& key, const std::string& name) {
    const auto [found, fresh] = curves_.try_emplace(key);
    if (fresh) found->second.name = name;
    return found->second;
  }

  void add_step(const ordered_json& event) {
    seconds_ = std::max(seconds_, number(event, "seconds"));
    add_point(curve("loss", "training"), step_, number(event, "loss"));
    add_point(curve("learning_rate", "rate"), step_, number(event, "learning_rate"));
    add_point(curve("gradient_norm", "norm"), step_, number(event, "gradient_norm"));
    add_point(curve("tokens_per_second", "tokens/s"), step_, number(event, "tokens_per_second"));
  }

  /// Adds the scores of a validation set to its curves. `set` is its name, which is empty for the
  /// main set.
  void add_scores(const std::string& set, const ordered_json& scores) {
    const std::string suffix = set.empty() ? "" : " " + set;
    for (const auto& metric : validation_metrics) {
      add_point(curve(curve_key(metric) + suffix, set.empty() ? "validation" : set), step_,
                number(scores, metric.key));
    }
  }

  void note_best(const ordered_json& validation) {
    best_step_ = validation.value("step", std::int64_t{0});
    best_ = validation;
  }

  /// Adds a validation. If the best model is from the same step, a validation that is not the best
  /// is skipped: it scored the averaged checkpoints, which did not become the model.
  void add_validation(const ordered_json& event) {
    const bool best = event.value("best", false);
    if (!best && kept_step_ == step_) return;
    if (best) {
      note_best(event);
      kept_step_ = step_;
    }
    add_scores("", event);
    // `sets` must be a variable, because items() only refers to it: a temporary would be destroyed
    // before the loop.
    const auto sets = event.value("sets", ordered_json::object());
    for (const auto& [name, scores] : sets.items()) add_scores(name, scores);
    for (const auto& sample : event.value("samples", ordered_json::array())) {
      const auto source = sample.value("source", ""), reference = sample.value("reference", "");
      auto known = std::ranges::find_if(samples_, [&](const RunSample& one) {
        return one.source == source && one.reference == reference;
      });
      if (known == samples_.end()) known = samples_.insert(known, {source, reference, {}});
      auto& hypotheses = known->hypotheses;
      if (!hypotheses.empty() && hypotheses.back().first == step_) hypotheses.pop_back();
      hypotheses.emplace_back(step_, sample.value("hypothesis", ""));
    }
  }

  /// Returns a chart of the curves whose key is one of `keys`, alone or followed by the name of a
  /// validation set.
  RunChart chart(const std::string& title, const std::string& hint,
                 const std::vector<std::string>& keys) {
    RunChart chart{title, hint, {}};
    for (const auto& key : keys) {
      for (auto& [name, curve] : curves_) {
        if (name != key && !name.starts_with(key + " ")) continue;
        thin(curve);
        chart.curves.push_back(curve);
      }
    }
    return chart;
  }

  /// Returns the progress of training and the scores of the best model.
  std::vector<std::pair<std::string, std::string>> results() const {
    std::vector<std::pair<std::string, std::string>> results{{"Step", group_digits(step_)}};
    if (seconds_ > 0) results.emplace_back("Training time", format_duration(seconds_));
    if (!best_step_) return results;
    results.emplace_back("Best step", group_digits(*best_step_));
    for (const auto& metric : validation_metrics) {
      results.emplace_back(metric.keyword == BestBy::loss ? "Validation loss" : metric.name,
                           fmt::format("{:.{}f}", number(best_, metric.key), metric.decimals));
    }
    return results;
  }

  RunFacts facts_;
  std::map<std::string, RunCurve> curves_;
  std::vector<RunSample> samples_;
  std::int64_t step_ = 0;
  double seconds_ = 0;
  std::optional<std::int64_t> best_step_;
  ordered_json best_;
  // the step of the last best validation by the current metric
  std::optional<std::int64_t> kept_step_;
};

/// Returns the record of the run's end, or nullopt if the run has not ended. An end that
/// report.json recorded does not count if a later session has not finished or has reached a later
/// step.
std::optional<TrainingRecord> recorded_end(const fs::path& run_folder, std::int64_t step,
                                           const std::optional<StatusRecord>& status) {
  if (status && status->state != "finished") return std::nullopt;
  const auto record = read_record(run_folder);
  if (!record || !record->training || record->training->steps < step) return std::nullopt;
  return record->training;
}

struct RunPageState {
  std::string text;
  bool running = false;  // whether the run is in progress; the page then reloads itself
};

/// Describes a run's state by its recorded end, or else by its status.
RunPageState describe_state(const std::optional<StatusRecord>& status,
                            const std::optional<TrainingRecord>& end) {
  if (end && !end->finished.empty())
    return {"finished: " + end->finished +
            (end->schedule.empty() ? "" : "; schedule " + end->schedule)};
  if (!status) return {"unfinished", /*running=*/true};
  if (status->state == "running") return {status->state, /*running=*/true};
  if (status->state == "interrupted") return {status->reason};
  if (status->state == "died")
    return {
        fmt::format("died at step {} or later: killed, or the machine went down", status->step)};
  return {status->state + ": " + status->reason};
}

/// Adds the text of the config, the settings that differ from their defaults, and the languages. If
/// the config is not valid, adds only its text.
void add_config(RunPageData& report, const fs::path& file) {
  if (!fs::exists(file)) return;
  report.config = read_file(file);
  try {
    const auto config = load_config(file);
    for (const auto& field : diff_configs({}, config, [](const Field&) { return true; }))
      report.settings.emplace_back(field.key, field.after);
    const auto [source, target] = resolve_languages(config.data);
    if (!source.empty() && !target.empty())
      report.facts.insert(report.facts.begin(), {"Languages", source + " → " + target});
  } catch (const Error& error) {
    log_warn("the page shows no changed settings: {}", error.what());
  }
}

/// If `has_ended` is set, report.json describes the run's end, although status.json does not.
RunPageData read_events(const fs::path& run_folder, WrongType wrong_type, bool has_ended = false) {
  if (!std::ifstream(run_folder / metrics_file)) {
    throw ModelError(run_folder.string(), std::string("holds no ") + metrics_file,
                     "Give a folder that `tfm train` wrote.");
  }
  // The status is read before the events. If the run ends in between, the page says "running" and
  // is generated again later. In the other order, it could show a finished run without its last
  // events.
  const auto status = has_ended ? std::nullopt : read_status(run_folder);
  RunReader reader;
  for_each_event(
      run_folder, [&](const ordered_json& event, const std::string&) { reader.add(event); },
      wrong_type);
  const auto end = recorded_end(run_folder, reader.step(), status);
  if (end) reader.set_end(*end);
  auto data = reader.page_data();
  data.name = fs::canonical(run_folder).filename().string();
  const auto state = describe_state(status, end);
  data.running = state.running;
  data.state = state.text;
  data.generated = page_time_now();
  add_config(data, run_folder / config_file);
  return data;
}

}  // namespace

RunPageData read_run(const fs::path& run_folder) {
  return read_events(run_folder, WrongType::warn);
}

void write_run_page(const fs::path& run_folder, bool warns) {
  write_file(run_folder / page_file,
             run_page_html(read_events(run_folder, warns ? WrongType::warn : WrongType::ignore)));
}

void write_last_run_page(const fs::path& run_folder) {
  write_file(run_folder / page_file,
             run_page_html(read_events(run_folder, WrongType::ignore, /*has_ended=*/true)));
}

}  // namespace tfm
