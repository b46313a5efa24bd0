// Formats the field table as documentation: the facts about a single field for `tfm config
// explain`, and the page docs/configuration.md.
#pragma once

#include <string>

#include "tfm/config/fields.h"

namespace tfm {

/// Returns the type of a field and the values that it accepts, such as "whole number at least 1, or
/// auto".
std::string describe_values(const Field& field);

/// Returns the default value of a field, as Field::get spells it.
std::string default_value(const Field& field);

/// Returns the whole field table as a Markdown page: `tfm config explain --format markdown`.
std::string config_reference();

}  // namespace tfm
