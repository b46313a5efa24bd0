#include "tfm/corpus/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "tfm/corpus/pair_rules.h"
#include "tfm/markup/markup.h"

namespace tfm {
namespace {

using Pair = PairToClean;

/// Makes a rule from a test of one side: it drops the pair if one of the sides fails.
template <bool (*drops_side)(const PairSide&, double)>
bool either(const Pair& pair, double value, const PairLanguages&) {
  return drops_side(pair.source, value) || drops_side(pair.target, value);
}

/// Makes a rule from a test of one side, its language and the languages of both.
template <bool (*drops_side)(const PairSide&, double, const Language&, const PairLanguages&)>
bool either_language(const Pair& pair, double value, const PairLanguages& languages) {
  return drops_side(pair.source, value, languages.source, languages) ||
         drops_side(pair.target, value, languages.target, languages);
}

/// Makes a rule that limits one of the facts of each side.
template <std::int64_t TextFacts::* fact>
bool exceeds(const Pair& pair, double value, const PairLanguages&) {
  return static_cast<double>(std::max(pair.source.facts.*fact, pair.target.facts.*fact)) > value;
}

template <std::int64_t TextFacts::* fact>
bool exceeds_ratio(const Pair& pair, double value, const PairLanguages&) {
  return ratio(pair.source.facts.*fact, pair.target.facts.*fact) > value;
}

bool is_malformed(const Pair& pair, double, const PairLanguages&) { return pair.malformed; }
bool is_invalid(const PairSide& side, double) { return !side.facts.valid_utf8; }
bool is_empty(const PairSide& side, double) { return side.facts.characters == 0; }
bool has_controls(const PairSide& side, double) { return side.facts.controls > 0; }
bool has_few_words(const PairSide& side, double value) {
  return static_cast<double>(side.facts.words) < value;
}
bool has_few_letters(const PairSide& side, double value) {
  return static_cast<double>(side.facts.letters) <
         value * static_cast<double>(side.facts.characters);
}
bool has_markup(const PairSide& side, double) { return has_html(side.text); }
bool repeats_words(const PairSide& side, double value) {
  return static_cast<double>(side.facts.words) > value &&
         static_cast<double>(count_repeats(side.text)) > value;
}
bool copies(const Pair& pair, double, const PairLanguages&) {
  return is_copy(pair.source.text, pair.target.text);
}
bool has_wrong_script(const PairSide& side, double value, const Language& language,
                      const PairLanguages&) {
  return !language.scripts.empty() && script_share(side.facts, language.scripts) < value;
}
bool has_wrong_language(const PairSide& side, double value, const Language& language,
                        const PairLanguages& languages) {
  if (language.code.empty() || static_cast<double>(side.facts.letters) < value) return false;
  return side.facts.valid_utf8 && is_in_other_language(side.text, language, languages);
}
bool differs_in_urls(const Pair& pair, double, const PairLanguages&) {
  return find_urls(pair.source.text) != find_urls(pair.target.text);
}
bool differs_in_numbers(const Pair& pair, double value, const PairLanguages&) {
  return overlap(find_numbers(pair.source.text), find_numbers(pair.target.text)) < value;
}
std::uint64_t source_key(const Pair& pair) { return hash_text(pair.source.text); }
std::uint64_t target_key(const Pair& pair) { return hash_text(pair.target.text); }
std::uint64_t pair_key(const Pair& pair) {
  return hash_text(pair.target.text, hash_text(pair.source.text));
}

/// Returns a rule about duplicates.
constexpr Rule duplicates(const char* name, std::optional<double> value, const char* summary,
                          std::uint64_t (*key)(const Pair&)) {
  return {.name = name, .kind = RuleValue::on_off, .value = value, .summary = summary, .key = key};
}

/// Returns a rule of a model, which is off by default.
constexpr Rule model_rule(const char* name, const char* summary) {
  return {.name = name,
          .kind = RuleValue::fraction,
          .value = std::nullopt,
          .least = 0,
          .most = 1,
          .summary = summary};
}

/// Returns what a rule of a model compares.
double measure_of(const Rule& rule, const PairScores& scores) {
  return scores.*(rule.at_least != nullptr ? rule.at_least : rule.at_most);
}

constexpr Rule at_least(const char* name, double PairScores::* measure, const char* summary) {
  Rule rule = model_rule(name, summary);
  rule.at_least = measure;
  return rule;
}

constexpr Rule at_most(const char* name, double PairScores::* measure, const char* summary) {
  Rule rule = model_rule(name, summary);
  rule.at_most = measure;
  return rule;
}

constexpr RuleValue on_off = RuleValue::on_off;
constexpr RuleValue number = RuleValue::number;
constexpr RuleValue fraction = RuleValue::fraction;
constexpr std::optional<double> off;

// The defaults drop less than 1% of the pairs of Multi30k and of newstest2013 each (docs/data.md).
constexpr std::array table{
    Rule{"malformed", RuleValue::always, 1, 0, 1,
         "a TSV line without exactly one tab, or a TMX unit without both languages", is_malformed},
    Rule{"invalid_utf8", on_off, 1, 0, 1, "a side is not valid UTF-8", either<is_invalid>},
    Rule{"empty", on_off, 1, 0, 1, "a side has only white space", either<is_empty>},
    Rule{"control_characters", on_off, 1, 0, 1,
         "a side has control characters (tab included), characters of private use, or U+FFFD",
         either<has_controls>},
    Rule{"min_words", number, off, 0, 1e6, "a side has fewer than N words", either<has_few_words>},
    Rule{"max_words", number, 150, 1, 1e6, "a side has more than N words",
         exceeds<&TextFacts::words>},
    Rule{"max_characters", number, 1500, 1, 1e9, "a side has more than N characters",
         exceeds<&TextFacts::characters>},
    Rule{"max_word_length", number, 100, 1, 1e9, "a word has more than N characters",
         exceeds<&TextFacts::longest_word>},
    Rule{"max_word_ratio", fraction, 4, 1, 1e6, "one side has more than N times as many words",
         exceeds_ratio<&TextFacts::words>},
    Rule{"max_character_ratio", fraction, 3.5, 1, 1e6,
         "one side has more than N times as many characters",
         exceeds_ratio<&TextFacts::characters>},
    Rule{"min_letters", fraction, off, 0, 1, "letters are less than the share N of a side",
         either<has_few_letters>},
    Rule{.name = "min_script",
         .kind = fraction,
         .value = 0.5,
         .least = 0,
         .most = 1,
         .summary = "less than the share N of a side's letters are of its language's script",
         .drops = either_language<has_wrong_script>,
         .needs_scripts = true},
    Rule{.name = "language",
         .kind = number,
         .value = 20,
         .least = 1,
         .most = 1e6,
         .summary = "a side of at least N letters is in another language, by the n-grams of the "
                    "text itself or by CLD2",
         .drops = either_language<has_wrong_language>,
         .needs_languages = true},
    Rule{"copied", on_off, 1, 0, 1,
         "the sides are equal, without regard to case, spaces and punctuation", copies},
    Rule{"markup", on_off, 1, 0, 1, "a side has an HTML tag, comment or entity",
         either<has_markup>},
    Rule{"urls", on_off, 1, 0, 1, "the sides differ in their web addresses", differs_in_urls},
    Rule{"min_numbers", fraction, off, 0, 1,
         "less than the share N of the numbers (of two digits or more) is on both sides",
         differs_in_numbers},
    Rule{"max_character_run", number, 8, 1, 1e6,
         "a character, digits excepted, occurs more than N times in a row",
         exceeds<&TextFacts::longest_run>},
    Rule{"max_word_repeats", number, 3, 1, 1e6,
         "one to four words occur more than N times in a row", either<repeats_words>},
    at_least("min_score", &PairScores::score,
             "a model's score of the pair, from 0 to 1, is less than N"),
    at_least("min_alignment", &PairScores::attention,
             "a model's attention between aligned words is less than N on average"),
    at_most("max_unaligned", &PairScores::unaligned,
            "a model aligns more than the share N of the source's words with no word; with a "
            "reverse model, also of the target's words"),
    duplicates("duplicate_pairs", 1, "an earlier pair has the same sides", pair_key),
    duplicates("duplicate_sources", off, "an earlier pair has the same source", source_key),
    duplicates("duplicate_targets", off, "an earlier pair has the same target", target_key),
};

}  // namespace

std::span<const Rule> rules() { return table; }

RuleValues default_rule_values() {
  RuleValues values;
  for (const Rule& rule : table) values.push_back(rule.value);
  return values;
}

std::string set_rule(RuleValues& values, std::size_t rule, const std::string& text) {
  const Rule& changed = table[rule];
  if (text == "off" && changed.kind != RuleValue::always) {
    values[rule] = std::nullopt;
    return "";
  }
  if (changed.kind == on_off) {
    if (text != "on") return fmt::format("must be on or off, not '{}'", text);
    values[rule] = 1;
    return "";
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_in_range = value >= changed.least && value <= changed.most;  // no NaN is
  if (error != std::errc() || end != text.data() + text.size() || !is_in_range ||
      (changed.kind != fraction && value != std::trunc(value)))
    return fmt::format("must be off or a {} from {} to {}, not '{}'",
                       changed.kind == number ? "whole number" : "number", changed.least,
                       changed.most, text);
  values[rule] = value;
  return "";
}

std::string describe_rule_value(const Rule& rule, std::optional<double> value) {
  if (!value) return "off";
  return rule.kind == number || rule.kind == fraction ? fmt::format("{}", *value) : "on";
}

std::vector<std::string> drop_unusable_rules(RuleValues& values, const PairLanguages& languages) {
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!values[i]) continue;
    const Rule& rule = table[i];
    std::string reason;
    if (rule.needs_scripts && languages.source.scripts.empty() && languages.target.scripts.empty())
      reason = "the scripts of the languages are unknown; name the languages with --from and --to";
    if (rule.needs_languages && languages.source.code.empty() && languages.target.code.empty())
      reason = "the languages are unknown; name them with --from and --to";
    const bool has_learned = languages.learned.ngrams.knows_languages();
    if (rule.needs_languages && reason.empty() && !can_identify_languages() && !has_learned)
      reason =
          "tfm was built without CLD2 (libcld2-dev), and nothing was learnt from the text: that "
          "needs two different languages, and some hundred pairs";
    if (reason.empty()) continue;
    values[i] = std::nullopt;
    reasons.push_back(fmt::format("the rule {} is off: {}", rule.name, reason));
  }
  return reasons;
}

bool needs_languages(const RuleValues& values) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].needs_languages && values[i]) return true;
  }
  return false;
}

RuleSet::RuleSet(RuleValues values, PairLanguages languages)
    : values_(std::move(values)), languages_(std::move(languages)) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!values_[i]) continue;
    auto& list = needs_model(table[i])     ? model_rules_
                 : table[i].key != nullptr ? duplicate_rules_
                                           : rules_;
    list.push_back(i);
  }
}

std::optional<std::size_t> RuleSet::check(const CorpusPair& pair,
                                          std::vector<std::uint64_t>& keys) const {
  const Pair checked{{pair.source, count_facts(pair.source)},
                     {pair.target, count_facts(pair.target)},
                     pair.malformed};
  for (const std::size_t i : rules_) {
    if (table[i].drops(checked, *values_[i], languages_)) return i;
  }
  for (const std::size_t i : duplicate_rules_) keys.push_back(table[i].key(checked));
  return std::nullopt;
}

bool RuleSet::needs_more_than(const PairScores& scores) const {
  return std::ranges::any_of(
      model_rules_, [&](std::size_t i) { return std::isnan(measure_of(table[i], scores)); });
}

std::optional<std::size_t> RuleSet::check_scores(const PairScores& scores,
                                                 std::optional<double>& score) const {
  for (const std::size_t i : model_rules_) {
    const double measured = measure_of(table[i], scores);
    const bool drops =
        table[i].at_least != nullptr ? measured < *values_[i] : measured > *values_[i];
    if (!drops) continue;  // also if the measure is NaN
    score = measured;
    return i;
  }
  return std::nullopt;
}

}  // namespace tfm
