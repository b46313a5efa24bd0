// The rules of `tfm data clean`, in one table: name, default, description and function. The options
// of the command, its help and its reports are made from the table. A new rule is one entry.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tfm/corpus/pair_languages.h"
#include "tfm/corpus/pair_scorer.h"
#include "tfm/corpus/pair_source.h"
#include "tfm/corpus/text_facts.h"

namespace tfm {

/// A side of a pair, with what one pass over it counts.
struct PairSide {
  std::string_view text;
  TextFacts facts;
};

struct PairToClean {
  PairSide source;
  PairSide target;
  bool malformed = false;
};

enum class RuleValue {
  always,  ///< the rule can't be switched off
  on_off,
  number,    ///< a whole number
  fraction,  ///< a real number
};

struct Rule {
  const char* name;  ///< as in reports: "max_words"
  RuleValue kind;
  std::optional<double> value;  ///< the default; nullopt: off
  double least = 0;             ///< the range of a number or fraction
  double most = 0;
  const char* summary;  ///< which pairs are dropped; "N" stands for the value
  /// Returns true if the pair is dropped. nullptr for rules about duplicates and of models.
  bool (*drops)(const PairToClean&, double value, const PairLanguages&) = nullptr;
  /// Returns a hash of what later pairs must not repeat. nullptr for all other rules.
  std::uint64_t (*key)(const PairToClean&) = nullptr;
  /// The measure of a model that must be at least the value. nullptr for all other rules.
  double PairScores::* at_least = nullptr;
  /// The measure of a model that must be at most the value. nullptr for all other rules.
  double PairScores::* at_most = nullptr;
  bool needs_scripts = false;    ///< true if the rule does nothing without scripts
  bool needs_languages = false;  ///< true if the rule does nothing without languages
};

/// Returns all rules, in the order in which they are applied. The rules of models see only pairs
/// that pass the rules before them. The rules about duplicates, which see only pairs that pass all
/// others, are the last.
std::span<const Rule> rules();

/// The values of all rules, in their order; nullopt: off.
using RuleValues = std::vector<std::optional<double>>;
RuleValues default_rule_values();

/// Sets a rule to a number, "on" or "off". Returns the problem ("must be off or between 1 and
/// 100000, not 'x'"), or an empty text.
std::string set_rule(RuleValues& values, std::size_t rule, const std::string& text);
/// Returns "off", "on" or the number.
std::string describe_rule_value(const Rule& rule, std::optional<double> value);

/// Switches off the rules that can't work with these languages, and returns a sentence for each.
std::vector<std::string> drop_unusable_rules(RuleValues& values, const PairLanguages& languages);

/// Returns whether a rule that needs languages is on.
bool needs_languages(const RuleValues& values);

/// Returns whether the rule needs a model.
inline bool needs_model(const Rule& rule) {
  return rule.at_least != nullptr || rule.at_most != nullptr;
}

/// Applies rules to pairs. Immutable, so several threads may share it.
class RuleSet {
 public:
  RuleSet(RuleValues values, PairLanguages languages);

  /// Returns the first rule that drops the pair, or nullopt; the rules of models are not asked.
  /// Appends the keys of the rules about
  /// duplicates to `keys`, in the order of duplicate_rules(), if no other rule drops the pair.
  std::optional<std::size_t> check(const CorpusPair& pair, std::vector<std::uint64_t>& keys) const;

  /// Returns the first rule of a model that drops a pair with these scores, or nullopt, and sets
  /// `score` to what it measured.
  std::optional<std::size_t> check_scores(const PairScores& scores,
                                          std::optional<double>& score) const;
  /// Returns whether a rule needs a measure that is NaN.
  bool needs_more_than(const PairScores& scores) const;
  /// Returns whether a rule of a model is on.
  bool needs_scores() const { return !model_rules_.empty(); }

  const std::vector<std::size_t>& duplicate_rules() const { return duplicate_rules_; }
  const RuleValues& values() const { return values_; }

 private:
  RuleValues values_;
  PairLanguages languages_;
  std::vector<std::size_t> rules_;            // those that are on and not in another list
  std::vector<std::size_t> model_rules_;      // those that are on
  std::vector<std::size_t> duplicate_rules_;  // those that are on
};

}  // namespace tfm
