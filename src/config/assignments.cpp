#include "assignments.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "nearest.h"
#include "tfm/core/error.h"
#include "values.h"

namespace tfm {
namespace {

class YamlReader {
 public:
  YamlReader(std::string_view name, Assignments& assignments)
      : name_(name), assignments_(assignments) {}

  void read_document(const YAML::Node& root) {
    if (root.IsNull()) return;
    if (!root.IsMap()) {
      assignments_.fault(place(root),
                         "a config holds sections such as 'training:', this is " + kind(root));
      return;
    }
    std::map<std::string, int> seen;
    for (const auto& entry : root) {
      const std::string section = entry.first.IsScalar() ? normal_key(entry.first.Scalar()) : "";
      if (!is_section(section)) {
        unknown_section(place(entry.first), section);
      } else if (is_new(section, entry.first, seen)) {
        read_section(section, entry.second);
      }
    }
  }

 private:
  void read_section(const std::string& section, const YAML::Node& keys) {
    if (keys.IsNull()) return;
    if (!keys.IsMap()) {
      assignments_.fault(
          place(keys),
          "section '" + section + "' must hold lines of 'key: value', this is " + kind(keys));
      return;
    }
    std::map<std::string, int> seen;
    for (const auto& entry : keys) {
      const std::string key = section + "." + (entry.first.IsScalar() ? entry.first.Scalar() : "?");
      const Field* field = find_field(key);
      if (field == nullptr) {
        assignments_.unknown_key(place(entry.first), key);
      } else if (is_new(field->key(), entry.first, seen)) {
        read_value(*field, place(entry.first), entry.second);
      }
    }
  }

  void read_value(const Field& field, const std::string& where, const YAML::Node& value) {
    if (value.IsScalar()) {
      assignments_.list.push_back({where, &field, value.Scalar()});
      return;
    }
    if (field.type == FieldType::list && value.IsSequence()) return read_list(field, where, value);
    assignments_.unknown_values.insert(field.key());
    assignments_.fault(where, value.IsNull()
                                  ? field.key() + " has no value; give it one or delete the line"
                                  : field.key() + " takes one value, this is " + kind(value));
  }

  void read_list(const Field& field, const std::string& where, const YAML::Node& list) {
    std::vector<std::string> entries;
    for (const auto& entry : list) {
      const bool plain = entry.IsScalar() && entry.Scalar().find(';') == std::string::npos;
      if (plain) {
        entries.push_back(entry.Scalar());
      } else {
        assignments_.fault(place(entry), field.key() + " takes a list of texts without ';'");
      }
    }
    assignments_.list.push_back({where, &field, join_entries(entries)});
  }

  // yaml-cpp keeps the entries of a repeated key and shows only the first.
  bool is_new(const std::string& key, const YAML::Node& node, std::map<std::string, int>& seen) {
    const auto [first, fresh] = seen.emplace(key, line(node));
    if (!fresh)
      assignments_.fault(place(node), "'" + key + "' is given twice, first in line " +
                                          std::to_string(first->second) + "; delete one");
    return fresh;
  }

  void unknown_section(const std::string& where, const std::string& section) {
    const std::string near_section = nearest_section(section);
    const std::string near_key = nearest_key(section);
    const std::string meant = !near_section.empty() ? near_section : near_key;
    if (!near_key.empty()) assignments_.unknown_values.insert(near_key);
    const std::string hint = meant.empty()
                                 ? "the sections are model, tokenizer, data, training and decoding"
                                 : "did you mean '" + meant + "'?";
    assignments_.fault(where, "unknown section '" + section + "'; " + hint);
  }

  static bool is_section(const std::string& name) {
    return std::any_of(fields().begin(), fields().end(),
                       [&](const Field& field) { return field.section == name; });
  }

  static std::string kind(const YAML::Node& node) {
    return node.IsMap() ? "a mapping" : node.IsSequence() ? "a list" : "a single value";
  }
  static int line(const YAML::Node& node) { return node.Mark().line + 1; }
  std::string place(const YAML::Node& node) const {
    return std::string(name_) + ":" + std::to_string(line(node));
  }

  std::string_view name_;
  Assignments& assignments_;
};

/// Hears where documents begin, and nothing else of them.
class DocumentStarts : public YAML::EventHandler {
 public:
  int last_line = 0;  ///< from 1

  void OnDocumentStart(const YAML::Mark& mark) override { last_line = mark.line + 1; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// The line that the second document begins at. (YAML::LoadAll never returns from some malformed
/// texts, in which a document ends where it begins.)
std::optional<int> second_document(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  if (parser.HandleNextDocument(starts) && parser.HandleNextDocument(starts))
    return starts.last_line;
  return std::nullopt;
}

}  // namespace

void Assignments::fault(std::string_view where, std::string_view what) {
  faults.push_back(std::string(where) + ": " + std::string(what));
}

void Assignments::unknown_key(std::string_view where, std::string_view key) {
  const std::string nearest = nearest_key(key);
  if (!nearest.empty()) unknown_values.insert(nearest);
  const std::string hint = nearest.empty()
                               ? "`tfm config explain SECTION` lists the keys of a section"
                               : "did you mean '" + nearest + "'?";
  fault(where, "unknown key '" + std::string(key) + "'; " + hint);
}

void add_yaml(std::string_view yaml, std::string_view name, Assignments& assignments) {
  try {
    const std::string text(yaml);
    if (const auto line = second_document(text)) {
      assignments.fault(
          std::string(name) + ":" + std::to_string(*line),
          "the config ends before this line (as at '---'); keep one and delete the rest");
    }
    YamlReader(name, assignments).read_document(YAML::Load(text));
  } catch (const YAML::Exception& error) {
    const std::string line = error.mark.is_null() ? "" : ":" + std::to_string(error.mark.line + 1);
    throw ConfigError(std::string(name) + line, "not valid YAML: " + error.msg,
                      "Look at this line and the one before it: indentation, colons, quotes.");
  }
}

void add_override(std::string_view override_text, Assignments& assignments) {
  constexpr std::string_view where = "command line";
  const auto equals = override_text.find('=');
  if (equals == std::string_view::npos) {
    assignments.fault(where,
                      "'" + std::string(override_text) +
                          "' sets nothing; write section.key=value, such as training.seed=3");
    return;
  }
  const std::string_view key = override_text.substr(0, equals);
  if (const Field* field = find_field(key)) {
    assignments.list.push_back(
        {std::string(where), field, std::string(override_text.substr(equals + 1))});
  } else {
    assignments.unknown_key(where, key);
  }
}

}  // namespace tfm
