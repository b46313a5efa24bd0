// Recognises addresses of the web and of mail in running text.
#pragma once

#include <cstddef>
#include <string_view>

namespace tfm {

/// Returns the length in bytes of the address that begins at offset `at`, or 0 if there is none:
/// https://example.org/a, www.example.org, me@example.org. Punctuation that ends a sentence, and
/// brackets and quotes around an address, are not part of it. The line may be HTML: `&amp;` is part
/// of an address, and other entities end it.
std::size_t address_length(std::string_view line, std::size_t at);

}  // namespace tfm
