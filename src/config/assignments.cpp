#include "assignments.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "nearest.h"
#include "tfm/config/other_names.h"
#include "tfm/core/error.h"
#include "values.h"

namespace tfm {
namespace {

/// Returns whether the field names a file of text or one of its sides.
bool is_data_file(const Field& field) {
  return field.section == "data" && field.type == FieldType::text &&
         (field.name.ends_with("_source") || field.name.ends_with("_target") ||
          field.name.ends_with("_tsv"));
}

/// Returns "data.train_source takes one file", or what else the field takes.
std::string describe_expected(const Field& field) {
  if (field.type == FieldType::list) return field.key() + " takes a list";
  return field.key() + (is_data_file(field) ? " takes one file" : " takes one value");
}

/// Returns how to write a list. Entries of most lists are NAME=VALUE, which is easily mistaken for
/// a mapping.
std::string list_hint(const Field& field) {
  if (field.type != FieldType::list) return "";
  return "; write '- ' before each entry, and '=' instead of ': '";
}

std::string join_files_hint(const Field& field) {
  return is_data_file(field) ? "; concatenate the files" : "";
}

class YamlReader {
 public:
  YamlReader(std::string_view name, Assignments& assignments)
      : name_(name), assignments_(assignments) {}

  void read_document(const YAML::Node& root) {
    if (root.IsNull() || !has_plain_tag(root)) return;
    if (!root.IsMap()) {
      assignments_.add_error(
          place(root), "a config has sections such as 'training:', but this is " + kind(root));
      return;
    }
    std::map<std::string, int> seen;
    for (const auto& entry : root) {
      const std::string section = entry.first.IsScalar() ? normal_key(entry.first.Scalar()) : "";
      if (!is_section(section)) {
        add_unknown_section(place(entry.first), section);
      } else if (is_new(section, entry.first, seen)) {
        read_section(section, entry.second);
      }
    }
  }

 private:
  void read_section(const std::string& section, const YAML::Node& keys) {
    if (keys.IsNull() || !has_plain_tag(keys)) return;
    if (!keys.IsMap()) {
      assignments_.add_error(
          place(keys),
          "section '" + section + "' must contain 'key: value' lines, but this is " + kind(keys));
      return;
    }
    std::map<std::string, int> seen;
    for (const auto& entry : keys) {
      const std::string key = section + "." + (entry.first.IsScalar() ? entry.first.Scalar() : "?");
      const Field* field = find_field(key);
      if (field == nullptr) {
        assignments_.add_unknown_key(place(entry.first), key);
        // Configs of other toolkits have nested sections. Errors about the keys in them name the
        // corresponding fields of tfm.
        if (entry.second.IsMap()) read_section(section, entry.second);
      } else if (is_new(field->key(), entry.first, seen)) {
        read_value(*field, place(entry.first), entry.second);
      }
    }
  }

  void read_value(const Field& field, const Place& where, const YAML::Node& value) {
    if (!has_plain_tag(value)) return;
    if (value.IsScalar()) {
      assignments_.list.push_back({where, &field, value.Scalar()});
      return;
    }
    if (field.type == FieldType::list && value.IsSequence()) return read_list(field, where, value);
    assignments_.unknown_values.insert(field.key());
    assignments_.add_error(
        where, value.IsNull()
                   ? field.key() + " has no value; give it one or delete the line"
                   : describe_expected(field) + ", but this is " + kind(value) +
                         (value.IsSequence() ? join_files_hint(field) : list_hint(field)));
  }

  /// Returns true if the node has no tag or the tag !!str. For any other tag, such as
  /// !!python/object, adds an error and returns false. yaml-cpp gives the tag "?" or "!" to nodes
  /// without a tag.
  bool has_plain_tag(const YAML::Node& node) {
    const std::string& tag = node.Tag();
    if (tag.size() <= 1 || tag.starts_with("tag:yaml.org,2002:str")) return true;
    assignments_.add_error(place(node), "'" + tag + "' is a YAML tag; delete it");
    return false;
  }

  void read_list(const Field& field, const Place& where, const YAML::Node& list) {
    std::vector<std::string> entries;
    for (const auto& entry : list) {
      const bool plain = entry.IsScalar() && entry.Scalar().find(';') == std::string::npos;
      if (plain) {
        entries.push_back(entry.Scalar());
      } else {
        assignments_.add_error(
            place(entry), entry.IsMap() ? field.key() +
                                              " takes a list of texts, but this entry is a "
                                              "mapping; write '=' instead of ': ', or use quotes"
                                        : field.key() + " takes a list of texts without ';'");
      }
    }
    assignments_.list.push_back({where, &field, join_entries(entries)});
  }

  // Adds an error and returns false if the key is repeated. yaml-cpp accepts repeated keys, but a
  // lookup finds only the first.
  bool is_new(const std::string& key, const YAML::Node& node, std::map<std::string, int>& seen) {
    const auto [first, fresh] = seen.emplace(key, line(node));
    if (!fresh)
      assignments_.add_error(place(node), "'" + key + "' is given twice, first in line " +
                                              std::to_string(first->second) + "; delete one");
    return fresh;
  }

  void add_unknown_section(const Place& where, const std::string& section) {
    const std::string near_section = nearest_section(section);
    const std::string hint =
        assignments_.suggest(section, near_section.empty() ? nearest_key(section) : near_section,
                             "the sections are model, tokenizer, data, training and decoding");
    assignments_.add_error(where, "unknown section '" + section + "'; " + hint);
  }

  static bool is_section(const std::string& name) {
    return std::any_of(fields().begin(), fields().end(),
                       [&](const Field& field) { return field.section == name; });
  }

  static std::string kind(const YAML::Node& node) {
    return node.IsMap() ? "a mapping" : node.IsSequence() ? "a list" : "a single value";
  }
  static int line(const YAML::Node& node) { return node.Mark().line + 1; }
  Place place(const YAML::Node& node) const { return {std::string(name_), line(node)}; }

  std::string_view name_;
  Assignments& assignments_;
};

/// Records the line at which the current YAML document starts, and ignores all other events.
class DocumentStarts : public YAML::EventHandler {
 public:
  int last_line = 0;  ///< counted from 1; 0 before the first document

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

/// Returns the line at which a second document starts, if any. YAML::LoadAll is not used because it
/// never returns for some malformed texts, in which yaml-cpp sees an endless series of empty
/// documents.
std::optional<int> second_document(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  if (parser.HandleNextDocument(starts) && parser.HandleNextDocument(starts))
    return starts.last_line;
  return std::nullopt;
}

}  // namespace

std::string Place::text() const {
  return line == no_line ? name : name + ":" + std::to_string(line);
}

void Assignments::add_error(const Place& where, std::string_view what) {
  errors.push_back({where, std::string(what)});
}

std::string Assignments::error_text() const {
  auto sorted = errors;
  std::ranges::stable_sort(sorted, {},
                           [](const ConfigProblem& problem) { return problem.where.line; });
  std::string text;
  for (const auto& [where, what] : sorted)
    text += (text.empty() ? "" : "\n") + where.text() + ": " + what;
  return text;
}

void Assignments::add_unknown_key(const Place& where, std::string_view key) {
  add_error(where, "unknown key '" + std::string(key) + "'; " +
                       suggest(key, nearest_key(key),
                               "`tfm config explain SECTION` lists the keys of a section"));
}

std::string Assignments::suggest(std::string_view unknown, const std::string& nearest,
                                 std::string_view otherwise) {
  const auto other = find_other_name(unknown);
  for (const OtherName& entry : other) unknown_values.insert(entry.key);
  if (!other.empty()) return describe_other_name(unknown);
  if (nearest.empty()) return std::string(otherwise);
  unknown_values.insert(nearest);
  return "did you mean '" + nearest + "'?";
}

void add_yaml(std::string_view yaml, std::string_view name, Assignments& assignments) {
  try {
    const std::string text(yaml);
    if (const auto line = second_document(text)) {
      assignments.add_error(
          {std::string(name), *line},
          "the config ends before this line (as at '---'); keep one document and delete the rest");
    }
    YamlReader(name, assignments).read_document(YAML::Load(text));
  } catch (const YAML::Exception& error) {
    const std::string line = error.mark.is_null() ? "" : ":" + std::to_string(error.mark.line + 1);
    throw ConfigError(
        std::string(name) + line, "not valid YAML: " + error.msg,
        "Check the indentation, colons and quotes of this line and the line before it.");
  }
}

void add_override(std::string_view override_text, Assignments& assignments) {
  const Place where{.name = "command line"};
  const auto equals = override_text.find('=');
  if (equals == std::string_view::npos) {
    assignments.add_error(where,
                          "'" + std::string(override_text) +
                              "' has no '='; write section.key=value, such as training.seed=3");
    return;
  }
  const std::string_view key = override_text.substr(0, equals);
  const std::string_view value = override_text.substr(equals + 1);
  if (const Field* field = find_field(key)) {
    if (is_data_file(*field) && value.starts_with('[') && value.ends_with(']')) {
      assignments.add_error(
          where, describe_expected(*field) + ", but this is a list" + join_files_hint(*field));
      assignments.unknown_values.insert(field->key());
      return;
    }
    assignments.list.push_back({where, field, std::string(value)});
  } else {
    assignments.add_unknown_key(where, key);
  }
}

}  // namespace tfm
