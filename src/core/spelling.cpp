#include "tfm/core/spelling.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace tfm {

std::string to_lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t substituted = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::size_t suggestion_limit(std::string_view word) {
  return std::max<std::size_t>(2, word.size() / 3);
}

bool is_beginning(std::string_view word, std::string_view name) {
  return word.size() >= 3 && name.size() > word.size() && name.starts_with(word);
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  const auto longer = std::ranges::find_if(
      names, [&](const std::string& name) { return is_beginning(word, name); });
  if (longer != names.end()) return *longer;
  std::size_t best = suggestion_limit(word) + 1;
  std::string nearest;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance >= best) continue;
    best = distance;
    nearest = name;
  }
  return nearest;
}

}  // namespace tfm
