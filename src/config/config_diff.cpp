#include "tfm/config/config_diff.h"

#include <fmt/format.h>

#include <algorithm>

namespace tfm {
namespace {

std::string shown(const std::string& value) { return value.empty() ? "\"\"" : value; }

}  // namespace

std::vector<FieldDiff> diff_configs(const Config& then, const Config& now,
                                    const std::function<bool(const Field&)>& relevant) {
  std::vector<FieldDiff> changes;
  for (const auto& field : fields()) {
    auto change = FieldDiff{field.key(), field.get(then), field.get(now)};
    if (change.then != change.now && relevant(field)) changes.push_back(std::move(change));
  }
  return changes;
}

std::vector<FieldDiff> diff_configs(const Config& then, const Config& now, Effect effect) {
  return diff_configs(then, now,
                      [&](const Field& field) { return field.effects.contains(effect); });
}

std::string to_table(const std::vector<FieldDiff>& changes) {
  if (changes.empty()) return "";
  constexpr std::size_t widest = 50;  // a longer path pushes its own line only
  std::size_t key_width = std::string_view("field").size();
  std::size_t then_width = std::string_view("then").size();
  for (const auto& change : changes) {
    key_width = std::max(key_width, change.key.size());
    then_width = std::max(then_width, std::min(widest, shown(change.then).size()));
  }
  std::string table;
  const auto add = [&](const std::string& key, const std::string& then, const std::string& now) {
    table += fmt::format("\n  {:<{}}  {:<{}}  {}", key, key_width, then, then_width, now);
  };
  add("field", "then", "now");
  for (const auto& change : changes) add(change.key, shown(change.then), shown(change.now));
  return table;
}

}  // namespace tfm
