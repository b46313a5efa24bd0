// Misspelt names: what was probably meant.
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// The key with every `-` as `_`.
std::string normal_key(std::string_view key);

/// The section nearest to a misspelt one ("trainning" -> "training"), or empty where nothing is
/// near.
std::string nearest_section(std::string_view section);

}  // namespace tfm
