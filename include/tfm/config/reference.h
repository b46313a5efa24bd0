// The field table as documentation: the facts of a field, and docs/configuration.md.
#pragma once

#include <string>

#include "tfm/config/fields.h"

namespace tfm {

/// The type of a field and the values that it takes: "whole number at least 1, or auto".
std::string describe_values(const Field& field);

/// The value of a field in a default Config, as Field::get spells it.
std::string default_value(const Field& field);

/// Returns the whole field table as a Markdown page: `tfm config explain --format markdown`.
std::string config_reference();

}  // namespace tfm
