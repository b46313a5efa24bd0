#include "opustrainer_modifiers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "tfm/config/data_sets.h"
#include "tfm/config/modifiers.h"
#include "values.h"

namespace tfm {
namespace {

/// An option of a modifier whose value tfm has fixed.
struct FixedOption {
  std::string_view name;
  std::string_view value;
};

struct OtherModifier {
  std::string_view name;  // OpusTrainer's
  Modifier modifier;
  std::vector<FixedOption> options;
};

const std::vector<OtherModifier>& other_modifiers() {
  static const std::vector<OtherModifier> table{
      {"UpperCase", Modifier::upper_case, {}},
      {"TitleCase", Modifier::title_case, {}},
      {"Typos", Modifier::typos, {}},
      {"RemoveEndPunct", Modifier::remove_punctuation, {}},
      {"Merge", Modifier::merge, {{"min_lines", "2"}, {"max_lines", "4"}}},
      {"Noise",
       Modifier::noise,
       {{"min_word_length", "2"}, {"max_word_length", "5"}, {"max_words", "6"}}},
      {"Prefix",
       Modifier::prefix,
       {{"min_words", "2"}, {"max_words", "5"}, {"template", "__start__ {trg} __end__ "}}},
  };
  return table;
}

class ModifierReader {
 public:
  ModifierReader(OpusTrainerNotes& notes, Config& config) : notes_(notes), config_(config) {}

  /// Reads a list, which may contain lists, as with YAML's references.
  void read(const YAML::Node& list) {
    if (!list.IsSequence()) notes_.fail(list, "modifiers is not a list");
    for (const auto& entry : list) {
      if (entry.IsSequence()) {
        read(entry);
      } else if (entry.IsMap() && entry.size() > 0) {
        read_modifier(entry);
      } else {
        notes_.fail(entry, "a modifier has no probability");
      }
    }
  }

 private:
  void read_modifier(const YAML::Node& entry) {
    const YAML::Node first = entry.begin()->first;
    const std::string name = scalar_text(first);
    const auto probability = [&] { return read_share(first, entry.begin()->second, name); };
    if (name == "Tags") return read_tags(entry, probability());
    const auto known = std::ranges::find(other_modifiers(), name, &OtherModifier::name);
    if (known == other_modifiers().end()) {
      notes_.warn(first, fmt::format("tfm has no modifier like {}; it is left out", name));
      return;
    }
    const double share = probability();
    check_options(*known, entry);
    add(known->modifier, share, first);
  }

  double read_share(const YAML::Node& key, const YAML::Node& value, const std::string& name) {
    const auto number = parse_number(scalar_text(value));
    if (!number || *number > 1)
      notes_.fail(key, fmt::format("the probability of {} is not from 0 to 1", name));
    return *number;
  }

  void add(Modifier modifier, double probability, const YAML::Node& place) {
    if (!seen_.insert(modifier).second) {
      notes_.warn(place, fmt::format("{} is given twice; the first counts", scalar_text(place)));
      return;
    }
    auto& list = config_.data.modifiers;
    const auto setting = fmt::format("{}={}", info_of(modifier).name, probability);
    auto at = list.end();
    if (modifier == Modifier::typos) {  // the words of Tags must not be mistyped
      at = std::ranges::find_if(list, [](const std::string& text) {
        return needs_alignments(parse_modifier(text).value().modifier);
      });
      if (at != list.end()) notes_.warn(place, "tfm's typos come before the words of Tags");
    }
    list.insert(at, setting);
    if (writes_noise(modifier)) config_.tokenizer.byte_fallback = true;
  }

  /// Converts Tags. Its shares `replace` and `augment` are modifiers of their own in tfm.
  void read_tags(const YAML::Node& entry, double probability) {
    const YAML::Node first = entry.begin()->first;
    const auto share = [&](const char* option) {
      const YAML::Node value = entry[option];
      return value ? read_share(first, value, fmt::format("Tags' {}", option)) : 0;
    };
    const double augment = share("augment");
    const double replace = share("replace");
    const double most = std::max(0.0, 1 - augment - replace);
    const double tag = entry["tag"] ? std::min(share("tag"), most) : most;
    warn_of_tags(entry);
    if (probability <= 0) return;
    for (const auto& [modifier, part] :
         {std::pair(Modifier::terms, tag), std::pair(Modifier::random_terms, replace),
          std::pair(Modifier::inline_noise, augment)})
      if (part > 0) add(modifier, std::round(probability * part * 1e9) / 1e9, first);
    name_alignments();
    notes_.warn(first,
                "the probability of Tags is that of a word, but that of tfm's modifiers is that of "
                "a pair, of which they change 1 to 3 terms");
  }

  /// Reads the template of Tags, and warns of options that tfm does not have.
  void warn_of_tags(const YAML::Node& entry) {
    for (const auto& option : entry) {
      const std::string key = scalar_text(option.first);
      const std::string value = scalar_text(option.second);
      if (key == "template") {
        if (parse_term_template(value)) {
          config_.data.term_template = value;
        } else {
          notes_.warn(
              option.first,
              fmt::format("'{}' can't be data.term_template, which has symbols, {{src}} and "
                          "{{trg}}, separated by spaces; '{}' is used",
                          value, config_.data.term_template));
        }
      } else if (key == "custom_detok_src" || key == "custom_detok_trg") {
        notes_.warn(option.first,
                    fmt::format("{} is left out: tfm does not detokenize text, so align the words "
                                "between white space of raw text",
                                key));
      } else if (key == "num_tags") {
        notes_.warn(option.first, "num_tags is left out: the symbols of tfm have no numbers");
      }
      // spm_vocab makes alignments for Marian, which tfm does not need.
    }
  }

  /// Says that the third fields of all sets are word alignments.
  void name_alignments() {
    auto& alignments = config_.data.alignments;
    if (!alignments.empty()) return;
    for (const std::string& text : config_.data.sets) {
      const auto set = parse_named_set(text).value();
      alignments.push_back(fmt::format("{}={}", set.name, set.tsv));
    }
  }

  /// Warns of options that differ from what tfm's modifier does.
  void check_options(const OtherModifier& known, const YAML::Node& entry) {
    const auto& name = info_of(known.modifier).name;
    std::string unknown;
    YAML::Node first_unknown;
    for (const auto& option : entry) {
      const std::string key = scalar_text(option.first);
      if (key == known.name) continue;
      const auto fixed = std::ranges::find(known.options, key, &FixedOption::name);
      if (fixed == known.options.end()) {
        if (unknown.empty()) first_unknown.reset(option.first);
        unknown += (unknown.empty() ? "" : ", ") + key;
      } else if (fixed->value != scalar_text(option.second)) {
        notes_.warn(option.first,
                    fmt::format("in tfm's {}, {} is always '{}'", name, fixed->name, fixed->value));
      }
    }
    if (!unknown.empty())
      notes_.warn(first_unknown, fmt::format("tfm's {} has no such options: {}; they are left out",
                                             name, unknown));
  }

  OpusTrainerNotes& notes_;
  Config& config_;
  std::set<Modifier> seen_;
};

}  // namespace

void read_opustrainer_modifiers(const YAML::Node& list, OpusTrainerNotes& notes, Config& config) {
  ModifierReader(notes, config).read(list);
}

}  // namespace tfm
