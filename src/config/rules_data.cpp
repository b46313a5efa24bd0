#include <algorithm>
#include <regex>
#include <set>
#include <utility>

#include "rules.h"
#include "tfm/config/data_sets.h"
#include "tfm/config/modifiers.h"

namespace tfm {
namespace {

void check_lengths(const DataConfig& data, Violations& found) {
  if (data.fixed_length == 1 || data.fixed_length > data.max_length) {
    found.push_back(
        {{"data.fixed_length", "data.max_length"},
         "a fixed length of " + std::to_string(data.fixed_length) + " tokens is not possible",
         "set fixed_length to 0, or to 2 to " + std::to_string(data.max_length)});
  }
}

/// Checks the forms and the names of the sets of a field, and returns the names.
std::set<std::string> check_named_sets(const char* key, const std::vector<std::string>& sets,
                                       Violations& found) {
  std::set<std::string> names;
  for (const std::string& text : sets) {
    const auto set = parse_named_set(text);
    if (!set) {
      found.push_back({{key},
                       "'" + text + "' is neither NAME=SOURCE,TARGET nor NAME=TSV",
                       "use letters, digits, '_', '.' and '-' in the name"});
    } else if (!names.insert(set->name).second) {
      found.push_back(
          {{key}, "two sets are named '" + set->name + "'", "give each set its own name"});
    }
  }
  return names;
}

/// Checks data.sets, and returns their names.
std::set<std::string> check_sets(const DataConfig& data, Violations& found) {
  auto names = check_named_sets("data.sets", data.sets, found);
  if (data.sets.empty()) return names;
  if (!data.train_source.empty() || !data.train_target.empty() || !data.train_tsv.empty())
    found.push_back({{"data.sets", "data.train_source"},
                     "the training data is given twice",
                     "name train_source and train_target as one of the sets"});
  if (data.bidirectional)
    found.push_back({{"data.sets", "data.bidirectional"},
                     "sets are not trained on in both directions",
                     "name each set twice, the second time with its files exchanged"});
  return names;
}

/// Returns the first set with less than a millionth of the draws of a stage, or an empty text. If
/// an epoch ended with a visit of such a set, the epoch would have more draws than can be counted.
std::string find_tiny_share(const DataStage& stage) {
  constexpr double least = 1e-6;
  double total = 0;
  for (const StageShare& share : stage.shares) total += share.weight;
  const auto tiny = std::ranges::find_if(
      stage.shares, [&](const StageShare& share) { return share.weight < least * total; });
  return tiny == stage.shares.end() ? "" : tiny->set;
}

void check_stages(const DataConfig& data, const std::set<std::string>& sets, Violations& found) {
  for (std::size_t i = 0; i < data.stages.size(); ++i) {
    const auto stage = parse_stage(data.stages[i]);
    const bool is_last = i + 1 == data.stages.size();
    if (!stage) {
      found.push_back({{"data.stages"},
                       "'" + data.stages[i] + "' is not a stage",
                       "write SET WEIGHT, SET WEIGHT until SET EPOCHS, with weights above 0"});
      continue;
    }
    for (const StageShare& share : stage->shares) {
      if (!sets.contains(share.set))
        found.push_back({{"data.stages", "data.sets"},
                         "no set is named '" + share.set + "'",
                         "name it in data.sets"});
    }
    if (const auto share = find_tiny_share(*stage); !share.empty())
      found.push_back(
          {{"data.stages"},
           "the share of '" + share + "' in '" + data.stages[i] + "' is below a millionth",
           "use weights of similar sizes, or leave out '" + share + "'"});
    if (is_last != (stage->epochs == 0))
      found.push_back({{"data.stages"},
                       "the stage '" + data.stages[i] +
                           (is_last ? "' is the last, but has an end" : "' has no end"),
                       is_last ? "leave out 'until', and limit the run by training.max_epochs"
                               : "add until SET EPOCHS"});
  }
}

std::string modifier_names() {
  std::string names;
  for (const ModifierInfo& info : known_modifiers)
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  return names;
}

void check_tags(const DataConfig& data, std::set<std::string> sets, Violations& found) {
  sets.insert("valid");
  std::set<std::string> seen;
  for (const std::string& text : data.tags) {
    const auto named = parse_named_tag(text);
    if (!named) {
      found.push_back({{"data.tags"},
                       "'" + text + "' is not SET=<TAG>",
                       "use letters, digits, '_', '.' and '-' between < and >"});
    } else if (!sets.contains(named->set)) {
      found.push_back({{"data.tags", "data.sets"},
                       "no set is named '" + named->set + "'",
                       "name it in data.sets or data.valid_sets; valid is the first validation "
                       "set"});
    } else if (!seen.insert(named->set).second) {
      found.push_back(
          {{"data.tags"}, "the set '" + named->set + "' has two tags", "leave one of them out"});
    }
  }
}

/// Checks the set that an entry of a field such as data.weights names. `sets` are the names in
/// data.sets. `seen` has the sets of the earlier entries, and gets this one.
void check_set_of_entry(const std::string& key, const std::string& set,
                        const std::set<std::string>& sets, std::set<std::string>& seen,
                        Violations& found) {
  if (sets.empty() ? set != only_text_name : !sets.contains(set)) {
    found.push_back({{key, "data.sets"},
                     "no set is named '" + set + "'",
                     sets.empty() ? "write train=FILE: without data.sets, the training data is "
                                    "named train"
                                  : "name it in data.sets"});
  } else if (!seen.insert(set).second) {
    found.push_back({{key}, "the set '" + set + "' has two entries", "leave one of them out"});
  }
}

/// Checks data.weights; `sets` are the names in data.sets.
void check_weights(const DataConfig& data, const std::set<std::string>& sets, Violations& found) {
  std::set<std::string> seen;
  for (const std::string& text : data.weights) {
    const auto named = parse_named_weight(text);
    if (!named) {
      found.push_back({{"data.weights"},
                       "'" + text + "' is neither SET=NUMBER nor SET=FILE",
                       "use letters, digits, '_', '.' and '-' in the name, and a number of at "
                       "least 0"});
    } else {
      check_set_of_entry("data.weights", named->set, sets, seen, found);
    }
  }
}

/// Checks data.alignments; `sets` are the names in data.sets.
void check_alignments(const DataConfig& data, const std::set<std::string>& sets,
                      Violations& found) {
  std::set<std::string> seen;
  for (const std::string& text : data.alignments) {
    if (const auto named = parse_named_alignments(text)) {
      check_set_of_entry("data.alignments", named->set, sets, seen, found);
    } else {
      found.push_back({{"data.alignments"},
                       "'" + text + "' is not SET=FILE",
                       "use letters, digits, '_', '.' and '-' in the name"});
    }
  }
  const auto modifier = find_modifier(data, needs_alignments);
  if (modifier && data.alignments.empty()) {
    const std::string name(info_of(*modifier).name);
    found.push_back({{"data.modifiers", "data.alignments"},
                     "the modifier " + name + " needs word alignments of the training data",
                     "name their files in data.alignments, or remove " + name});
  }
}

void check_temperature(const DataConfig& data, Violations& found) {
  if (data.temperature == 1) return;
  if (data.sets.empty())
    found.push_back({{"data.temperature", "data.sets"},
                     "there is nothing to draw from but one text",
                     "name several texts in data.sets, or set temperature to 1"});
  if (!data.stages.empty())
    found.push_back({{"data.temperature", "data.stages"},
                     "the shares of the sets are given twice",
                     "leave out the stages, or set temperature to 1"});
}

/// Checks that no word which a modifier writes on both sides is mistyped on one of them.
void check_order_of_modifiers(const DataConfig& data, Violations& found) {
  std::string_view before;  // the last modifier whose words must stay as they are
  for (const std::string& text : data.modifiers) {
    const auto setting = parse_modifier(text);
    if (setting && needs_alignments(setting->modifier)) before = info_of(setting->modifier).name;
    if (!setting || setting->modifier != Modifier::typos || before.empty()) continue;
    const std::string other(before);
    found.push_back({{"data.modifiers"},
                     "typos comes after " + other + " and would change the words that it writes",
                     "put typos before " + other});
  }
}

void check_modifiers(const DataConfig& data, Violations& found) {
  std::set<Modifier> seen;
  for (const std::string& text : data.modifiers) {
    const auto name = text.substr(0, text.find_first_of(" ="));
    const bool is_known =
        std::ranges::find(known_modifiers, name, &ModifierInfo::name) != known_modifiers.end();
    if (const auto setting = parse_modifier(text)) {
      if (!seen.insert(setting->modifier).second)
        found.push_back(
            {{"data.modifiers"}, "'" + name + "' is named twice", "remove one of them"});
    } else if (is_known) {
      found.push_back({{"data.modifiers"},
                       "'" + text + "' is not " + name + "=PROBABILITY",
                       "use a number from 0 to 1, such as " + name + "=0.05"});
    } else {
      found.push_back({{"data.modifiers"},
                       "'" + text + "' names no modifier",
                       "use NAME=PROBABILITY with one of these names: " + modifier_names()});
    }
  }
  check_order_of_modifiers(data, found);
  if (!parse_term_template(data.term_template))
    found.push_back({{"data.term_template"},
                     "'" + data.term_template + "' is not a template",
                     "write symbols, {trg} once and {src} at most once, separated by spaces: " +
                         DataConfig().term_template});
}

void check_language(const std::string& key, const std::string& code, Violations& found) {
  if (code.empty() || is_language_code(code)) return;
  found.push_back({{key},
                   "'" + code + "' is not the code of a language",
                   "use two or three letters, with a variant if needed: de, pt-BR"});
}

void check_language_tags(const DataConfig& data, Violations& found) {
  const bool trains = !data.train_source.empty() || !data.train_tsv.empty() || !data.sets.empty();
  if (data.language_tags == LanguageTags::none || !trains) return;
  found.push_back({{"data.language_tags", "data.train_source"},
                   "tfm does not train models that read a tag of each language",
                   "train a model with data.tags, or translate with the imported one"});
}

struct TextFiles {
  std::string name;  // beginning of the keys: "data.train"
  const std::string& source;
  const std::string& target;
  const std::string& tsv;
};

void check_files(const TextFiles& files, Violations& found) {
  const std::string source = files.name + "_source";
  const std::string target = files.name + "_target";
  const std::string tsv = files.name + "_tsv";
  if (files.source.empty() != files.target.empty()) {
    found.push_back({{source, target},
                     (files.source.empty() ? source : target) + " is missing",
                     "give both or neither"});
  }
  if (!files.tsv.empty() && !(files.source.empty() && files.target.empty())) {
    found.push_back({{tsv, source, target},
                     "the data is given twice",
                     "set either " + tsv + " or the two others"});
  }
}

}  // namespace

void check_data(const DataConfig& data, Violations& found) {
  check_lengths(data, found);
  const bool has_valid_set = !data.valid_source.empty() || !data.valid_tsv.empty();
  if (!data.valid_alignment.empty() && !has_valid_set) {
    found.push_back({{"data.valid_alignment", "data.valid_source"},
                     "gold alignments need a validation set",
                     "set valid_source and valid_target, or remove valid_alignment"});
  }
  const auto valid_sets = check_named_sets("data.valid_sets", data.valid_sets, found);
  auto sets = check_sets(data, found);
  check_stages(data, sets, found);
  check_weights(data, sets, found);
  check_alignments(data, sets, found);
  check_temperature(data, found);
  check_modifiers(data, found);
  sets.insert(valid_sets.begin(), valid_sets.end());
  check_tags(data, std::move(sets), found);
  check_language_tags(data, found);
  check_language("data.source_language", data.source_language, found);
  check_language("data.target_language", data.target_language, found);
  if (!data.valid_sets.empty() && !has_valid_set) {
    found.push_back({{"data.valid_sets", "data.valid_source"},
                     "the first validation set, which selects the best model, is missing",
                     "set valid_source and valid_target"});
  }
}

void check_text_files(const DataConfig& data, Violations& found) {
  check_files({"data.train", data.train_source, data.train_target, data.train_tsv}, found);
  check_files({"data.valid", data.valid_source, data.valid_target, data.valid_tsv}, found);
}

bool is_language_code(std::string_view text) {
  static const std::regex form("[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*");
  return std::regex_match(text.begin(), text.end(), form);
}

}  // namespace tfm
