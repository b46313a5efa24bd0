#include "tfm/core/environment.h"

namespace tfm {

std::string variable_text(const Variables& variables, const char* name) {
  const char* value = variables(name);
  return value == nullptr ? "" : value;
}

}  // namespace tfm
