#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "tfm/core/format.h"
#include "tfm/core/wrap.h"
#include "tfm/training/data_preview.h"

namespace tfm {
namespace {

constexpr std::size_t page_width = 80;

std::vector<std::string> names_of(const std::vector<Modifier>& modifiers) {
  std::vector<std::string> names;
  for (const Modifier modifier : modifiers) names.emplace_back(info_of(modifier).name);
  return names;
}

/// Returns a text with its name in the margin: "  source   Ein Hund ...".
std::string entry(std::string_view name, const std::string& text) {
  constexpr std::string_view indent = "           ";
  const std::string lines = wrap_text(escape_controls(text), page_width, indent);
  const auto first = std::string_view(lines).substr(lines.starts_with(indent) ? indent.size() : 0);
  return fmt::format("  {:<9}{}", name, first);
}

std::string describe_pair(const PreviewedPair& pair, bool with_tokens) {
  const auto names = names_of(pair.changed_by);
  std::string text =
      fmt::format("{}{}{}{}{}{}\n", pair.place, pair.tag.empty() ? "" : " ", pair.tag,
                  pair.changed_by.empty() ? "" : ": ", fmt::join(names, ", "),
                  pair.is_used ? "" : " (not used: too long, or with unknown tokens)");
  text += entry("source", pair.source);
  if (pair.source != pair.original_source) text += entry("  was", pair.original_source);
  if (with_tokens) text += entry("  tokens", fmt::format("{}", fmt::join(pair.source_tokens, " ")));
  text += entry("target", pair.target);
  if (pair.target != pair.original_target) text += entry("  was", pair.original_target);
  if (with_tokens) text += entry("  tokens", fmt::format("{}", fmt::join(pair.target_tokens, " ")));
  return text;
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

nlohmann::ordered_json modifier_json(const ModifierCount& count) {
  return {{"name", info_of(count.setting.modifier).name},
          {"probability", count.setting.probability},
          {"changed", count.changed},
          {"unused", count.unused}};
}

nlohmann::ordered_json pair_json(const PreviewedPair& pair) {
  return {{"place", pair.place},
          {"tag", pair.tag},
          {"changed_by", names_of(pair.changed_by)},
          {"used", pair.is_used},
          {"source", pair.source},
          {"target", pair.target},
          {"original_source", pair.original_source},
          {"original_target", pair.original_target},
          {"source_tokens", pair.source_tokens},
          {"target_tokens", pair.target_tokens}};
}

}  // namespace

std::string preview_text(const DataPreview& preview, bool with_tokens) {
  std::string text = fmt::format("epoch {}, {} {}\n", preview.epoch, group_digits(preview.pairs),
                                 preview.pairs == 1 ? "pair" : "pairs");
  const auto out = std::back_inserter(text);
  if (!preview.modifiers.empty())
    fmt::format_to(out, "\n{:<22}{:>12}{:>14}{:>9}{:>12}\n", "modifier", "probability", "changed",
                   "%", "not used");
  for (const ModifierCount& count : preview.modifiers) {
    fmt::format_to(out, "{:<22}{:>12}{:>14}{:>8.2f}%{:>12}\n", info_of(count.setting.modifier).name,
                   count.setting.probability, group_digits(count.changed),
                   percent(count.changed, preview.pairs), group_digits(count.unused));
  }
  for (const PreviewedPair& pair : preview.shown)
    text.append("\n").append(describe_pair(pair, with_tokens));
  return text;
}

std::string preview_json(const DataPreview& preview) {
  nlohmann::ordered_json json{{"epoch", preview.epoch}, {"pairs", preview.pairs}};
  json["modifiers"] = nlohmann::ordered_json::array();
  for (const ModifierCount& count : preview.modifiers)
    json["modifiers"].push_back(modifier_json(count));
  json["shown"] = nlohmann::ordered_json::array();
  for (const PreviewedPair& pair : preview.shown) json["shown"].push_back(pair_json(pair));
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace tfm
