#include "opustrainer_notes.h"

#include <fmt/format.h>

#include "tfm/core/error.h"

namespace tfm {

std::string OpusTrainerNotes::place(const YAML::Node& node) const {
  return fmt::format("{}:{}", file_.string(), node.Mark().line + 1);
}

void OpusTrainerNotes::warn(const YAML::Node& node, const std::string& what) {
  warnings_.push_back(fmt::format("{}: {}", place(node), what));
}

void OpusTrainerNotes::fail(const YAML::Node& node, const std::string& what) const {
  throw ConfigError(place(node), what, "See the README of OpusTrainer for the format.");
}

}  // namespace tfm
