#include "tfm/config/modifiers.h"

#include <algorithm>
#include <iterator>
#include <regex>
#include <sstream>

#include "tfm/config/data_sets.h"
#include "values.h"

namespace tfm {
namespace {

/// Returns the first modifier of the config with a probability above 0 that the predicate accepts.
template <class Predicate>
std::optional<Modifier> find_active(const DataConfig& data, const Predicate& predicate) {
  for (const std::string& text : data.modifiers) {
    const auto setting = parse_modifier(text);
    if (setting && setting->probability > 0 && predicate(setting->modifier))
      return setting->modifier;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ModifierSetting> parse_modifier(std::string_view text) {
  static const std::regex form(R"(\s*([a-z_]+)\s*=\s*([0-9.eE+-]+)\s*)");
  const std::string whole(text);
  std::smatch parts;
  if (!std::regex_match(whole, parts, form)) return std::nullopt;
  const auto* info = std::ranges::find(known_modifiers, parts[1].str(), &ModifierInfo::name);
  if (info == known_modifiers.end()) return std::nullopt;
  const auto probability = parse_number(parts[2]);
  if (!probability || *probability > 1) return std::nullopt;
  return ModifierSetting{info->modifier, *probability};
}

std::vector<ModifierSetting> modifier_settings(const DataConfig& data) {
  std::vector<ModifierSetting> settings;
  for (const std::string& text : data.modifiers) settings.push_back(parse_modifier(text).value());
  return settings;
}

bool has_modifier(const DataConfig& data, Modifier modifier) {
  return find_active(data, [modifier](Modifier other) { return other == modifier; }).has_value();
}

std::optional<Modifier> find_modifier(const DataConfig& data, bool (*property)(Modifier)) {
  return find_active(data, property);
}

std::optional<std::vector<std::string>> parse_term_template(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  const auto terms = std::ranges::count(words, term_place);
  const auto translations = std::ranges::count(words, translation_place);
  const auto braces = std::ranges::count_if(
      words, [](const std::string& word) { return word.find_first_of("{}") != std::string::npos; });
  const bool has_symbol = std::ssize(words) > terms + translations;
  if (translations != 1 || terms > 1 || braces != terms + translations || !has_symbol)
    return std::nullopt;
  return words;
}

std::vector<std::string> modifier_symbols(const DataConfig& data) {
  std::vector<std::string> symbols;
  if (has_modifier(data, Modifier::prefix))
    symbols = {std::string(prefix_begin), std::string(prefix_end)};
  const auto is_marked = [](Modifier modifier) {
    return writes_symbols(modifier) && needs_alignments(modifier);
  };
  const auto words = parse_term_template(data.term_template);
  if (!words || !find_modifier(data, is_marked)) return symbols;
  for (const std::string& word : *words) {
    if (word != term_place && word != translation_place &&
        std::ranges::find(symbols, word) == symbols.end())
      symbols.push_back(word);
  }
  return symbols;
}

std::vector<std::string> source_symbols(const Config& config) {
  std::vector<std::string> symbols = config.tokenizer.symbols;
  const auto add = [&symbols](std::string symbol) {
    if (std::ranges::find(symbols, symbol) == symbols.end()) symbols.push_back(std::move(symbol));
  };
  for (const std::string& text : config.data.tags) add(parse_named_tag(text).value().tag);
  for (std::string& symbol : modifier_symbols(config.data)) add(std::move(symbol));
  return symbols;
}

}  // namespace tfm
