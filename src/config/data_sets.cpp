#include "tfm/config/data_sets.h"

#include <algorithm>
#include <regex>

#include "values.h"

namespace tfm {
namespace {

/// Returns "clean 0.8, other 0.2" as shares; an empty list if the text has another form.
std::vector<StageShare> parse_shares(const std::string& text) {
  static const std::regex form(R"(\s*([A-Za-z0-9_.-]+)\s+([0-9.eE+-]+)\s*)");
  std::vector<StageShare> shares;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    std::smatch words;
    if (!std::regex_match(part, words, form)) return {};
    const auto weight = parse_number(words[2]);
    if (!weight || *weight == 0) return {};
    shares.push_back({words[1], *weight});
    begin = end + 1;
  }
  return shares;
}

}  // namespace

std::optional<NamedSet> parse_named_set(std::string_view text) {
  static const std::regex form("([A-Za-z0-9_.-]+)=([^,]+)(,([^,]+))?");
  const std::string whole(text);
  std::smatch parts;
  if (!std::regex_match(whole, parts, form)) return std::nullopt;
  if (!parts[3].matched) return NamedSet{parts[1], "", "", parts[2]};
  return NamedSet{parts[1], parts[2], parts[4], ""};
}

std::optional<NamedTag> parse_named_tag(std::string_view text) {
  static const std::regex form("([A-Za-z0-9_.-]+)=(<[A-Za-z0-9_.-]+>)");
  const std::string whole(text);
  std::smatch parts;
  if (!std::regex_match(whole, parts, form)) return std::nullopt;
  return NamedTag{parts[1], parts[2]};
}

std::optional<NamedWeight> parse_named_weight(std::string_view text) {
  static const std::regex number("[+-]?[0-9.]+([eE][+-]?[0-9]+)?");
  const auto named = parse_named_alignments(text);  // SET=FILE, where a number may stand for FILE
  if (!named) return std::nullopt;
  const auto& [set, value] = *named;
  if (!std::regex_match(value, number)) return NamedWeight{set, std::nullopt, value};
  const auto weight = parse_number(value);
  return weight ? std::optional(NamedWeight{set, weight, ""}) : std::nullopt;
}

std::optional<NamedAlignments> parse_named_alignments(std::string_view text) {
  static const std::regex form("([A-Za-z0-9_.-]+)=(.+)");
  const std::string whole(text);
  std::smatch parts;
  if (!std::regex_match(whole, parts, form)) return std::nullopt;
  return NamedAlignments{parts[1], parts[2]};
}

std::optional<DataStage> parse_stage(std::string_view text) {
  static const std::regex form(R"((.*?)(\s+until\s+([A-Za-z0-9_.-]+)\s+([0-9]{1,9}))?\s*)");
  const std::string whole(text);
  std::smatch parts;
  if (!std::regex_match(whole, parts, form)) return std::nullopt;
  DataStage stage{.shares = parse_shares(parts[1]), .until = parts[3], .epochs = 0};
  if (stage.shares.empty()) return std::nullopt;
  if (!parts[2].matched) {
    stage.until = stage.shares.front().set;
    return stage;
  }
  stage.epochs = std::stoll(parts[4]);
  const bool is_drawn = std::ranges::count(stage.shares, stage.until, &StageShare::set) > 0;
  return is_drawn && stage.epochs > 0 ? std::optional(stage) : std::nullopt;
}

}  // namespace tfm
