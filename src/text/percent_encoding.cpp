#include "tfm/text/percent_encoding.h"

#include <charconv>

namespace tfm {

std::string decode_percent(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digits = text[i] == '%' ? text.substr(i + 1, 2) : std::string_view();
    unsigned char byte = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16).ptr;
    const bool is_code = digits.size() == 2 && end == digits.data() + 2;
    decoded += is_code ? static_cast<char>(byte) : text[i];
    if (is_code) i += 2;
  }
  return decoded;
}

}  // namespace tfm
