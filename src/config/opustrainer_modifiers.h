// The modifiers of a config of OpusTrainer as fields of tfm's.
#pragma once

#include "opustrainer_notes.h"
#include "tfm/config/config.h"

namespace tfm {

/// Sets data.modifiers and the fields that the modifiers need, after data.sets. Warns of what tfm
/// does in another way. Throws ConfigError if the list has another form.
void read_opustrainer_modifiers(const YAML::Node& list, OpusTrainerNotes& notes, Config& config);

}  // namespace tfm
