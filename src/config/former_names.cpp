#include "former_names.h"

#include <array>

namespace tfm {
namespace {

struct FormerName {
  std::string_view field;  // for a renamed choice, the key of its field; otherwise empty
  std::string_view former;
  std::string_view current;
};

constexpr std::array former_names = {
    FormerName{"", "training.cut_probability", "training.simcut_probability"},
    FormerName{"training.on_divergence", "ignore", "skip"},
};

std::string_view find_current(std::string_view field, std::string_view name) {
  for (const FormerName& entry : former_names) {
    if (entry.field == field && entry.former == name) return entry.current;
  }
  return name;
}

}  // namespace

std::string_view current_key(std::string_view key) { return find_current("", key); }

std::string_view current_choice(std::string_view key, std::string_view choice) {
  return find_current(key, choice);
}

}  // namespace tfm
