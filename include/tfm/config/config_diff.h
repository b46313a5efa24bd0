// What differs between two configs, for people: field, then, now.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tfm/config/fields.h"

namespace tfm {

struct FieldDiff {
  std::string key;   ///< "training.seed"
  std::string then;  ///< as `tfm config` writes values
  std::string now;
};

/// The fields that differ and that `relevant` accepts, in the table's order.
std::vector<FieldDiff> diff_configs(const Config& then, const Config& now,
                                    const std::function<bool(const Field&)>& relevant);

/// The fields that differ and that have the effect, in the table's order.
std::vector<FieldDiff> diff_configs(const Config& then, const Config& now, Effect effect);

/// A line for each under a header, aligned in columns, each after a line break and indented; empty
/// for no change. An empty value is shown as "".
std::string to_table(const std::vector<FieldDiff>& changes);

}  // namespace tfm
