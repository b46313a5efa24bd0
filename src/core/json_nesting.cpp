#include "tfm/core/json_nesting.h"

#include <algorithm>

namespace tfm {

std::size_t json_nesting(std::string_view text) {
  std::size_t open = 0;
  std::size_t most = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (in_string) {
      if (c == '\\') ++i;  // the escaped character
    } else if (c == '[' || c == '{') {
      most = std::max(most, ++open);
    } else if (c == ']' || c == '}') {
      if (open > 0) --open;  // a text that is not JSON may close more than it opens
    }
  }
  return most;
}

}  // namespace tfm
