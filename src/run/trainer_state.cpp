#include "tfm/run/trainer_state.h"

#include <nlohmann/json.hpp>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using nlohmann::json;

/// A key of progress.json. `former` is its name in former versions, if it was different.
struct Key {
  Key(const char* key, const char* former_key = nullptr) : name(key), former(former_key) {}

  const char* name;
  const char* former;
};

class StateWriter {
 public:
  template <typename Value>
  void required(Key key, const Value& value) {
    object[key.name] = value;
  }
  template <typename Value>
  void since(Key key, const Value& value, const Value& /*before*/) {
    object[key.name] = value;
  }
  template <typename Value>
  void optional(Key key, const std::optional<Value>& value) {
    if (value) object[key.name] = *value;
  }
  void required_step(Key key, const std::optional<std::int64_t>& step) {
    object[key.name] = step.value_or(-1);
  }
  void step_since(Key key, const std::optional<std::int64_t>& step) {
    object[key.name] = step.value_or(-1);
  }

  json object;
};

class StateReader {
 public:
  explicit StateReader(json object) : object_(std::move(object)) {}

  template <typename Value>
  void required(Key key, Value& value) const {
    value = object_.at(find(key)).get<Value>();
  }
  template <typename Value>
  void since(Key key, Value& value, const Value& before) const {
    value = object_.value(find(key), before);
  }
  template <typename Value>
  void optional(Key key, std::optional<Value>& value) const {
    if (object_.contains(find(key))) value = object_.at(find(key)).get<Value>();
  }
  void required_step(Key key, std::optional<std::int64_t>& step) const {
    step = step_or_nothing(object_.at(find(key)).get<std::int64_t>());
  }
  void step_since(Key key, std::optional<std::int64_t>& step) const {
    step = step_or_nothing(object_.value(find(key), std::int64_t{-1}));
  }

 private:
  const char* find(Key key) const {
    return key.former != nullptr && !object_.contains(key.name) && object_.contains(key.former)
               ? key.former
               : key.name;
  }
  static std::optional<std::int64_t> step_or_nothing(std::int64_t step) {
    return step < 0 ? std::nullopt : std::optional(step);
  }

  json object_;
};

/// Declares the keys of progress.json for reading and writing. Every version wrote the `required`
/// keys. A missing `since` key, which former versions did not write, is read as the given value; a
/// missing `optional` or `step_since` key is read as nullopt. The `step` functions write nullopt as
/// -1.
template <typename Visitor, typename State>
void visit(Visitor& v, State& s) {
  v.required("step", s.step);
  v.required("epoch", s.position.epoch);
  v.required("next_batch", s.position.next);
  v.since("window", s.position.window, std::int64_t{0});
  v.required("seconds", s.seconds);
  v.required("epoch_loss", s.epoch.sum);
  v.required("epoch_tokens", s.epoch.tokens);
  v.since("report_loss", s.report.sum, 0.0);
  v.since("report_tokens", s.report.tokens, std::int64_t{0});
  v.optional("best_score", s.best_score);
  v.required("best_step", s.best_step);
  v.since("best_validation", s.best_event, std::string());
  v.required({"validations_without_improvement", "validations_without_gain"},
             s.validations_without_improvement);
  v.required_step("validated_step", s.validated_step);
  v.step_since("averaged_step", s.averaged_step);
  v.step_since({"last_unscored_step", "scoreless_step"}, s.unscored_step);
  v.required("data_checksum", s.fingerprints.data);
  v.since({"metric_fingerprint", "score_checksum"}, s.fingerprints.metric, std::uint32_t{0});
  v.since("source_vocabulary_checksum", s.vocabulary.source, std::uint32_t{0});
  v.since("target_vocabulary_checksum", s.vocabulary.target, std::uint32_t{0});
  v.since({"scheduled", "asked_for"}, s.scheduled, true);
  v.required({"skipped_updates", "updates_left_out"}, s.divergence.skipped_updates);
  v.required("rollbacks", s.divergence.rollbacks);
  v.required("diverged_step", s.divergence.step);
  v.since({"rollback_step", "rolled_back_to"}, s.divergence.rollback_step, std::int64_t{-1});
  v.required("learning_rate_factor", s.divergence.learning_rate_factor);
  v.since("has_fitted_steps", s.has_fitted_steps, false);
  v.optional("log_bytes", s.log_bytes);
}

}  // namespace

std::string to_json(const TrainerState& state) {
  StateWriter writer;
  visit(writer, state);
  return writer.object.dump(2) + "\n";
}

TrainerState read_state(const std::filesystem::path& file) {
  try {
    const StateReader reader(json::parse(read_file(file)));
    TrainerState state;
    visit(reader, state);
    state.saved = {.step = state.step, .seconds = state.seconds};
    return state;
  } catch (const json::exception& error) {
    throw ModelError(file.string(), std::string("is not a valid progress file: ") + error.what(),
                     "Remove this checkpoint: the run then resumes from the previous one.");
  }
}

}  // namespace tfm
