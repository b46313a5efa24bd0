#include "nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "tfm/config/fields.h"

namespace tfm {
namespace {

// Returns the Levenshtein distance: the smallest number of inserted, deleted and substituted bytes
// that turn one word into the other.
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

// Returns the largest distance at which a suggestion is better than a guess.
std::size_t largest_distance(std::string_view word) {
  return std::max<std::size_t>(2, word.size() / 3);
}

}  // namespace

std::string normal_key(std::string_view key) {
  std::string normal(key);
  std::replace(normal.begin(), normal.end(), '-', '_');
  return normal;
}

std::string nearest_key(std::string_view key) {
  const std::string normal = normal_key(key);
  const auto dot = normal.find('.');
  const std::string section = dot == std::string::npos ? "" : normal.substr(0, dot);
  const std::string name = dot == std::string::npos ? normal : normal.substr(dot + 1);
  std::size_t best = largest_distance(name) + 1;
  std::string nearest;
  for (const Field& field : fields()) {
    // The right name in the wrong section is a common mistake, so a section costs at most 2.
    const std::size_t section_distance =
        section.empty() ? 0 : std::min<std::size_t>(2, edit_distance(section, field.section));
    const std::size_t distance = edit_distance(name, field.name) + section_distance;
    if (distance < best) {
      best = distance;
      nearest = field.key();
    }
  }
  return nearest;
}

std::string nearest_section(std::string_view section) {
  std::size_t best = largest_distance(section) + 1;
  std::string nearest;
  for (const Field& field : fields()) {
    const std::size_t distance = edit_distance(section, field.section);
    if (distance < best) {
      best = distance;
      nearest = field.section;
    }
  }
  return nearest;
}

}  // namespace tfm
