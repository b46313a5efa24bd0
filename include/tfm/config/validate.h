// The rules that the range of a single field cannot express. Most of them relate several fields,
// such as "heads must divide hidden_size".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

/// A rule that a config breaks.
struct Violation {
  std::vector<std::string> keys;  ///< the keys of the conflicting fields: "model.hidden_size"
  std::string what;               ///< the problem, without initial capital and full stop
  std::string hint;               ///< what the user can do, in the same style as `what`
};

/// Returns the violation as text: "key, key: what; hint".
std::string to_text(const Violation& violation);

/// Returns every rule that the config breaks. Files are not opened.
std::vector<Violation> violations(const Config& config);

/// Returns whether the text has the form of data.source_language: de or, with a variant, pt-BR. The
/// code can then be a part of a web address and of a JSON reply.
bool is_language_code(std::string_view text);

}  // namespace tfm
