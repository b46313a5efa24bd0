#include "tfm/run/run_facts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tfm/core/format.h"

namespace tfm {
namespace {

std::string describe_vocabulary(const RunFacts& facts) {
  const auto source = group_digits(facts.source_vocabulary);
  if (facts.joint_vocabulary) return source + " (shared)";
  return fmt::format("{} and {}", source, group_digits(facts.target_vocabulary));
}

}  // namespace

nlohmann::ordered_json to_event(const RunFacts& facts, std::int64_t step) {
  return {{"event", "run"},
          {"step", step},
          {"tfm", facts.tfm},
          {"device", facts.device},
          {"pairs", facts.pairs},
          {"parameters", facts.parameters},
          {"source_vocabulary", facts.source_vocabulary},
          {"target_vocabulary", facts.target_vocabulary},
          {"joint_vocabulary", facts.joint_vocabulary}};
}

RunFacts run_facts_from(const nlohmann::ordered_json& event) {
  const RunFacts unknown;
  return {.tfm = event.value("tfm", unknown.tfm),
          .device = event.value("device", unknown.device),
          .pairs = event.value("pairs", unknown.pairs),
          .parameters = event.value("parameters", unknown.parameters),
          .source_vocabulary = event.value("source_vocabulary", unknown.source_vocabulary),
          .target_vocabulary = event.value("target_vocabulary", unknown.target_vocabulary),
          .joint_vocabulary = event.value("joint_vocabulary", unknown.joint_vocabulary)};
}

std::vector<std::pair<std::string, std::string>> describe(const RunFacts& facts) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (facts.pairs > 0) lines.emplace_back("Training pairs", group_digits(facts.pairs));
  if (facts.parameters > 0) lines.emplace_back("Parameters", group_digits(facts.parameters));
  if (facts.source_vocabulary > 0) lines.emplace_back("Vocabulary", describe_vocabulary(facts));
  if (!facts.device.empty())
    lines.emplace_back("Device", facts.device == "cpu" ? "CPU" : facts.device);
  if (!facts.tfm.empty()) lines.emplace_back("tfm", facts.tfm);
  return lines;
}

}  // namespace tfm
