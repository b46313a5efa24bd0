// Former names of config keys and choices. Configs, model folders and overrides with these names
// stay readable, but only the current names are documented and written.
#pragma once

#include <string_view>

namespace tfm {

/// Returns the current key of a field ("training.cut_probability" ->
/// "training.simcut_probability"), or `key` itself if it was not renamed.
std::string_view current_key(std::string_view key);

/// Returns the current name of a choice of the field `key`, or `choice` itself if it was not
/// renamed.
std::string_view current_choice(std::string_view key, std::string_view choice);

}  // namespace tfm
