// Environment variables as a value, so that code that reads them can be tested with others than
// those of this process.
#pragma once

#include <functional>
#include <string>

namespace tfm {

/// A function like std::getenv, which returns the value of a variable, or nullptr if it is not set.
using Variables = std::function<const char*(const char*)>;

/// Returns the value of a variable, or an empty text if it is not set.
std::string variable_text(const Variables& variables, const char* name);

}  // namespace tfm
