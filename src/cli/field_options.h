// Config fields on the command line, as options ("--beam-size 5") and as overrides
// ("decoding.beam_size=5"). Both are stored as "section.key=value", but an error about an option
// names the option, not the field.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tfm/config/fields.h"

namespace tfm {

/// Returns the name of the option of a field: "--beam-size".
std::string option_name(const Field& field);

/// Returns the help text of the field's option. Where the text of the field names another field of
/// its section, the help names the option of that field ("--beam-size"), or its key
/// ("decoding.beam_size") if `has_option` is false for it.
std::string option_help(const Field& field, const std::function<bool(const Field&)>& has_option);

/// Sets the fields of "section.key=value" assignments, which came from options. If a value is wrong
/// or breaks a rule, throws a ConfigError that names the options.
void apply_options(Config& config, const std::vector<std::string>& assignments);

/// Runs a command and returns its exit code. If the command throws a ConfigError about a field that
/// one of the assignments sets, throws the error with the name of the option instead.
int run_with_options(const std::vector<std::string>& assignments, const std::function<int()>& run);

/// Removes the overrides from the arguments and returns them. Throws ConfigError if a key is
/// unknown or its field does not have the effect.
std::vector<std::string> take_overrides(std::vector<std::string>& arguments, Effect effect);

/// Returns a sentence that suggests an override instead of an unknown option ("--max-steps=4" ->
/// "training.max_steps=4"), for commands that take overrides. The option may have the name of a
/// field of tfm or of another toolkit. Returns an empty text for any other name.
std::string advise_override(const std::string& option);

}  // namespace tfm
