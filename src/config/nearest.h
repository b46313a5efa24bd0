// Normalises the spelling of keys, and finds the section that a misspelt name probably means.
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// Returns the key with every `-` replaced by `_`.
std::string normal_key(std::string_view key);

/// Returns the section that is most similar to a misspelt one ("trainning" -> "training"), or an
/// empty text if no section is similar.
std::string nearest_section(std::string_view section);

}  // namespace tfm
