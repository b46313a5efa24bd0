#include "tfm/config/modifiers.h"

#include <algorithm>
#include <regex>

#include "tfm/config/data_sets.h"
#include "values.h"

namespace tfm {

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
  return std::ranges::any_of(data.modifiers, [modifier](const std::string& text) {
    const auto setting = parse_modifier(text);
    return setting && setting->modifier == modifier && setting->probability > 0;
  });
}

std::vector<std::string> source_symbols(const Config& config) {
  std::vector<std::string> symbols = config.tokenizer.symbols;
  const auto add = [&symbols](std::string symbol) {
    if (std::ranges::find(symbols, symbol) == symbols.end()) symbols.push_back(std::move(symbol));
  };
  for (const std::string& text : config.data.tags) add(parse_named_tag(text).value().tag);
  if (has_modifier(config.data, Modifier::prefix)) {
    add(std::string(prefix_begin));
    add(std::string(prefix_end));
  }
  return symbols;
}

}  // namespace tfm
