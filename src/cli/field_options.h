// Config fields on the command line: as options ("--beam-size 5") and as overrides
// ("decoding.beam_size=5"). Both are handled as "section.key=value"; messages name options.
#pragma once

#include <string>
#include <vector>

#include "tfm/config/fields.h"

namespace tfm {

/// The option of a field: "--beam-size".
std::string option_name(const Field& field);

/// Sets fields to the values of options. Throws ConfigError, which names the options, if a value is
/// wrong or breaks a rule.
void apply_options(Config& config, const std::vector<std::string>& assignments);

/// Removes the overrides from the arguments and returns them. Throws ConfigError if a key is
/// unknown or its field does not have the effect.
std::vector<std::string> take_overrides(std::vector<std::string>& arguments, Effect effect);

/// Returns how a command that takes overrides sets the field that an unknown option names
/// ("--max-steps=4" -> "training.max_steps=4"); empty if no field has the name.
std::string advise_override(const std::string& option);

}  // namespace tfm
