// The differences between two configs, and a table of them for messages.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tfm/config/fields.h"

namespace tfm {

struct FieldDiff {
  std::string key;     ///< "training.seed"
  std::string before;  ///< value in the first config, as Field::get returns it
  std::string after;   ///< value in the second config
};

/// Returns the fields that differ and that `relevant` accepts, in the order of the field table.
std::vector<FieldDiff> diff_configs(const Config& before, const Config& after,
                                    const std::function<bool(const Field&)>& relevant);

/// Returns the fields that differ and have this effect, in the order of the field table.
std::vector<FieldDiff> diff_configs(const Config& before, const Config& after, Effect effect);

/// Formats the differences as a table with a header line and aligned columns. Each line is indented
/// and preceded by a line break. An empty value is shown as "". Returns an empty text if there are
/// no differences.
std::string to_table(const std::vector<FieldDiff>& changes);

}  // namespace tfm
