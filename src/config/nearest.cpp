#include "nearest.h"

#include <algorithm>
#include <vector>

#include "tfm/config/fields.h"
#include "tfm/core/spelling.h"

namespace tfm {

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
  std::size_t best = suggestion_limit(name) + 1;
  std::string nearest;
  for (const Field& field : fields()) {
    // The right name in the wrong section is a common mistake, so a wrong section adds at most 2 to
    // the distance.
    const std::size_t section_distance =
        section.empty() ? 0 : std::min<std::size_t>(2, edit_distance(section, field.section));
    // The beginning of a name ("warmup") has the same distance as a single wrong letter.
    const std::size_t name_distance =
        is_beginning(name, field.name) ? 1 : edit_distance(name, field.name);
    const std::size_t distance = name_distance + section_distance;
    if (distance < best) {
      best = distance;
      nearest = field.key();
    }
  }
  return nearest;
}

std::string nearest_section(std::string_view section) {
  std::vector<std::string> sections;
  for (const Field& field : fields()) sections.push_back(field.section);
  return nearest_name(section, sections);
}

}  // namespace tfm
