// Percent-encoding of addresses and forms (RFC 3986, section 2.1).
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// Replaces each % with two hexadecimal digits by the byte that they name. A % without two digits
/// stays as it is.
std::string decode_percent(std::string_view text);

}  // namespace tfm
