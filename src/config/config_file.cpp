#include "tfm/config/config_file.h"

#include <yaml-cpp/emitter.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <sstream>

#include "assignments.h"
#include "tfm/config/fields.h"
#include "tfm/config/presets.h"
#include "tfm/config/validate.h"
#include "tfm/core/error.h"
#include "tfm/core/input_file.h"
#include "yaml_value.h"

namespace tfm {
namespace {

// Applies the preset before all other keys are set, so that they override it. An unknown preset is
// reported later, by set_fields.
void apply_chosen_preset(const Assignments& assignments, Config& config) {
  const Field* preset = &field_of(&Config::model, &ModelConfig::preset);
  for (const Assignment& assignment : assignments.list) {
    if (assignment.field == preset) preset->set(config, assignment.value);
  }
  apply_preset(config.model.preset, config.model);
}

void set_fields(Assignments& assignments, Config& config) {
  for (const Assignment& assignment : assignments.list) {
    const auto problem = assignment.field->set(config, assignment.value);
    if (!problem) continue;
    assignments.add_error(assignment.where, assignment.field->key() + " " + *problem);
    assignments.unknown_values.insert(assignment.field->key());
  }
}

/// Returns the place of the first of the rule's keys that was given, or `name`.
Place place_of(const Violation& violation, const Assignments& assignments, std::string_view name) {
  for (const auto& key : violation.keys) {
    const auto given =
        std::ranges::find_if(assignments.list.rbegin(), assignments.list.rend(),
                             [&](const Assignment& each) { return each.field->key() == key; });
    if (given != assignments.list.rend()) return given->where;
  }
  return {.name = std::string(name)};
}

// Skips the rules about fields whose values could not be read. Such a rule would check the default
// instead, and its message would mislead.
void check_rules(std::string_view name, const Config& config, Assignments& assignments) {
  for (const Violation& violation : violations(config)) {
    const bool can_check = std::ranges::none_of(violation.keys, [&](const std::string& key) {
      return assignments.unknown_values.contains(key);
    });
    if (can_check)
      assignments.add_error(place_of(violation, assignments, name), to_text(violation));
  }
}

/// Returns whether at least half of the lines look like lines of a config: "key:", "- entry" or a
/// comment. Text of sentences has few such lines; a config with an error has few others.
bool looks_like_config(const std::string& text) {
  static const std::regex config_line(
      R"([ \t]*([\[\]{}#-][^]*|["']?[A-Za-z][\w.-]*["']?[ \t]*:[^]*))");
  std::istringstream lines(text);
  std::int64_t config_lines = 0, others = 0;
  for (std::string line; std::getline(lines, line);) {
    constexpr std::size_t enough = 200;  // std::regex recurses, and the beginning decides
    line.resize(std::min(line.size(), enough));
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    ++(std::regex_match(line, config_line) ? config_lines : others);
  }
  return config_lines >= others;
}

/// Returns the error about training text in the place of a config. A word without "=" among the
/// overrides is probably the other side of the text.
ConfigError text_instead_of_config(const std::filesystem::path& file,
                                   const std::vector<std::string>& overrides) {
  const auto target = std::ranges::find_if(
      overrides, [](const std::string& word) { return word.find('=') == word.npos; });
  const auto sides =
      target == overrides.end() ? std::string("SOURCE TARGET") : file.string() + " " + *target;
  return {file.string(), "is text, not a config",
          "`tfm config init " + sides +
              " -o my.yaml` writes a config for it, which `tfm train my.yaml` takes."};
}

/// Reads a config, but not a text of sentences, which a user may give to `tfm train` instead.
std::string read_config_file(const std::filesystem::path& file,
                             const std::vector<std::string>& overrides = {}) {
  constexpr std::size_t most_bytes = 1'000'000;
  std::error_code none;
  if (std::filesystem::is_regular_file(file, none) &&
      std::filesystem::file_size(file, none) > most_bytes)
    throw text_instead_of_config(file, overrides);
  try {
    auto text = read_text_file(file, most_bytes);
    if (!looks_like_config(text)) throw text_instead_of_config(file, overrides);
    return text;
  } catch (const DataError& error) {
    const auto nearest = std::filesystem::exists(file, none) ? "" : nearest_file(file);
    throw ConfigError(
        error.where(), error.problem(),
        nearest.empty() ? "Name a YAML file; `tfm config explain` prints the fields of such a file."
                        : "Did you mean " + nearest.string() + "?");
  }
}

}  // namespace

Config load_config(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return parse_config(read_config_file(file, overrides), file.string(), overrides);
}

Config parse_config(std::string_view yaml, std::string_view name,
                    const std::vector<std::string>& overrides) {
  Assignments assignments;
  add_yaml(yaml, name, assignments);
  for (const std::string& override_text : overrides) add_override(override_text, assignments);
  Config config;
  apply_chosen_preset(assignments, config);
  set_fields(assignments, config);
  check_rules(name, config, assignments);
  if (!assignments.errors.empty()) throw ConfigError("", assignments.error_text());
  return config;
}

Config with_overrides(Config config, const std::vector<std::string>& overrides) {
  Assignments assignments;
  for (const std::string& override_text : overrides) add_override(override_text, assignments);
  set_fields(assignments, config);
  check_rules("", config, assignments);
  if (!assignments.errors.empty()) throw ConfigError("", assignments.error_text());
  return config;
}

std::vector<std::string> read_decoding(const std::filesystem::path& file) {
  Assignments assignments;
  add_yaml(read_config_file(file), file.string(), assignments);
  std::erase_if(assignments.list,
                [](const Assignment& each) { return each.field->section != "decoding"; });
  Config scratch;
  set_fields(assignments, scratch);  // reports wrong values
  if (!assignments.errors.empty()) throw ConfigError("", assignments.error_text());
  std::vector<std::string> overrides;
  for (const Assignment& each : assignments.list)
    overrides.push_back(each.field->key() + "=" + each.value);
  return overrides;
}

std::string write_config(const Config& config) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  std::string section;
  for (const Field& field : fields()) {
    if (field.section != section) {
      if (!section.empty()) out << YAML::EndMap;
      out << YAML::Key << field.section << YAML::Value << YAML::BeginMap;
      section = field.section;
    }
    out << YAML::Key << field.name << YAML::Value;
    emit_value(field, config, out);
  }
  out << YAML::EndMap << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

}  // namespace tfm
