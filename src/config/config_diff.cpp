#include "tfm/config/config_diff.h"

#include <fmt/format.h>

#include <algorithm>

namespace tfm {
namespace {

std::string quote_empty(const std::string& value) { return value.empty() ? "\"\"" : value; }

}  // namespace

std::vector<FieldDiff> diff_configs(const Config& before, const Config& after,
                                    const std::function<bool(const Field&)>& relevant) {
  std::vector<FieldDiff> changes;
  for (const auto& field : fields()) {
    auto change = FieldDiff{field.key(), field.get(before), field.get(after)};
    if (change.before != change.after && relevant(field)) changes.push_back(std::move(change));
  }
  return changes;
}

std::vector<FieldDiff> diff_configs(const Config& before, const Config& after, Effect effect) {
  return diff_configs(before, after,
                      [&](const Field& field) { return field.effects.contains(effect); });
}

std::string to_table(const std::vector<FieldDiff>& changes) {
  if (changes.empty()) return "";
  constexpr std::size_t widest = 50;  // a longer value shifts only its own line
  std::size_t key_width = std::string_view("field").size();
  std::size_t before_width = std::string_view("before").size();
  for (const auto& change : changes) {
    key_width = std::max(key_width, change.key.size());
    before_width = std::max(before_width, std::min(widest, quote_empty(change.before).size()));
  }
  std::string table;
  const auto add = [&](const std::string& key, const std::string& before,
                       const std::string& after) {
    table += fmt::format("\n  {:<{}}  {:<{}}  {}", key, key_width, before, before_width, after);
  };
  add("field", "before", "after");
  for (const auto& change : changes)
    add(change.key, quote_empty(change.before), quote_empty(change.after));
  return table;
}

}  // namespace tfm
