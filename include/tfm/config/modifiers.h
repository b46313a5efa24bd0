// The modifiers of the training text (data.modifiers). Each changes a pair of sentences at random,
// with its own probability. Their order in the config is the order in which they are applied.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

enum class Modifier {
  upper_case,
  title_case,
  typos,
  remove_punctuation,
  merge,
  noise,
  copy,
  prefix,
  terms,
  random_terms,
  inline_noise,
};

/// The name and the description of a modifier.
struct ModifierInfo {
  Modifier modifier;
  std::string_view name;     ///< in configs
  std::string_view summary;  ///< what happens to the pair, as the end of a sentence
};

/// All modifiers, in the order of the enum.
inline constexpr auto known_modifiers = std::to_array<ModifierInfo>({
    {Modifier::upper_case, "upper_case", "both sides in upper case"},
    {Modifier::title_case, "title_case", "both sides with a capital at the start of every word"},
    {Modifier::typos, "typos", "letters and spaces of the source mistyped"},
    {Modifier::remove_punctuation, "remove_punctuation",
     "the final punctuation removed on both sides, if both have some"},
    {Modifier::merge, "merge", "joined with the 1 to 3 pairs that follow in its text"},
    {Modifier::noise, "noise", "replaced by words of random characters, the same on both sides"},
    {Modifier::copy, "copy", "a random address, number or emoji at the end of both sides"},
    {Modifier::prefix, "prefix", "2 to 5 words of the target before the source, marked"},
    {Modifier::terms, "terms",
     "1 to 3 terms of the source with their translation, marked by term_template"},
    {Modifier::random_terms, "random_terms",
     "like terms, but with random characters as the translation, also in the target"},
    {Modifier::inline_noise, "inline_noise",
     "the same random characters after a term of the source and after its translation"},
});

constexpr const ModifierInfo& info_of(Modifier modifier) {
  return known_modifiers.at(static_cast<std::size_t>(modifier));
}

/// Returns whether the modifier changes only pairs whose words are linked (data.alignments).
constexpr bool needs_alignments(Modifier modifier) {
  return modifier == Modifier::terms || modifier == Modifier::random_terms ||
         modifier == Modifier::inline_noise;
}

/// Returns whether the modifier writes characters of all scripts.
constexpr bool writes_noise(Modifier modifier) {
  return modifier == Modifier::noise || modifier == Modifier::random_terms ||
         modifier == Modifier::inline_noise;
}

/// Returns whether the modifier writes symbols that the source vocabulary must have.
constexpr bool writes_symbols(Modifier modifier) {
  return modifier == Modifier::prefix || modifier == Modifier::terms ||
         modifier == Modifier::random_terms;
}

/// The symbols around the words that Modifier::prefix puts before the source. They are those of
/// OpusTrainer.
inline constexpr std::string_view prefix_begin = "__start__";
inline constexpr std::string_view prefix_end = "__end__";

/// A modifier as a config names it, "typos=0.1", with its probability.
struct ModifierSetting {
  Modifier modifier = Modifier::upper_case;
  double probability = 0;
};

/// Returns nullopt if the text has another form, names no modifier, or has a probability outside
/// [0, 1].
std::optional<ModifierSetting> parse_modifier(std::string_view text);

/// Returns the modifiers of a config that breaks no rule.
std::vector<ModifierSetting> modifier_settings(const DataConfig& data);

/// Returns whether the config has the modifier with a probability above 0.
bool has_modifier(const DataConfig& data, Modifier modifier);

/// Returns the first modifier of the config with a probability above 0 and with this property;
/// nullopt if there is none.
std::optional<Modifier> find_modifier(const DataConfig& data, bool (*property)(Modifier));

/// The places of a term and of its translation in a template (data.term_template).
inline constexpr std::string_view term_place = "{src}";
inline constexpr std::string_view translation_place = "{trg}";

/// Returns the words of a template such as "__source__ {src} __target__ {trg} __done__": symbols
/// and the two places. Returns nullopt unless the text has {trg} once, {src} at most once, a
/// symbol, and no other braces.
std::optional<std::vector<std::string>> parse_term_template(std::string_view text);

/// Returns the symbols that the modifiers of the config write, without repetitions.
std::vector<std::string> modifier_symbols(const DataConfig& data);

/// Returns the symbols of a source text, without repetitions: tokenizer.symbols, the tags of
/// data.tags, and those that modifiers write. A vocabulary that a run learns has all of them.
std::vector<std::string> source_symbols(const Config& config);

}  // namespace tfm
