// Writes the value of a field as YAML that reads back as the same value.
#pragma once

#include <yaml-cpp/emitter.h>

#include "tfm/config/fields.h"

namespace tfm {

/// Emits the value as a scalar, or as a flow sequence if the field is a list. Text is quoted, so
/// that it cannot be read as another type.
void emit_value(const Field& field, const Config& config, YAML::Emitter& out);

}  // namespace tfm
