// Describes a session by facts that neither its config nor the other events of metrics.jsonl
// contain. The event `run` records them, so that report.html can show them before the run ends.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tfm {

/// An empty string or 0 means that a fact is unknown.
struct RunFacts {
  std::string tfm{};     ///< the version of tfm
  std::string device{};  ///< such as "cpu" or "cuda:0"
  std::int64_t pairs = 0;
  std::int64_t parameters = 0;
  std::int64_t source_vocabulary = 0;
  std::int64_t target_vocabulary = 0;
  bool joint_vocabulary = false;

  bool operator==(const RunFacts&) const = default;
};

/// Returns the event `run` of a session that begins after `step`.
nlohmann::ordered_json to_event(const RunFacts& facts, std::int64_t step);

/// Returns the facts of an event. Missing fields keep their defaults. Throws nlohmann's exception
/// if a field has the wrong type.
RunFacts run_facts_from(const nlohmann::ordered_json& event);

/// Returns the known facts as names and values for display.
std::vector<std::pair<std::string, std::string>> describe(const RunFacts& facts);

}  // namespace tfm
