// How YAML spells strings, and which plain scalars it takes for something else.
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// Returns true if YAML 1.1 or 1.2 reads the plain scalar as a number, a truth value, null or a
/// date.
bool is_plain_constant(std::string_view value);

std::string spell_double_quoted(std::string_view value);
/// Both use double quotes for values that they cannot spell.
std::string spell_single_quoted(std::string_view value);
std::string spell_plain(std::string_view value, bool in_flow);

}  // namespace tfm
