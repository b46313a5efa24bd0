// Checksums of text and of vocabularies. When a run is resumed, they show whether its data has
// changed. They are not cryptographic.
#pragma once

#include <cstdint>
#include <string_view>

#include "tfm/data/corpus.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

/// Returns the CRC-32 of all lines of both sides, in order, and of `settings`, a text that lists
/// the settings that are part of the checksum.
std::uint32_t checksum(const ParallelText& text, std::string_view settings = "");

/// Continues the checksum of a text, so that with_settings(checksum(text), s) is checksum(text, s).
std::uint32_t with_settings(std::uint32_t text_checksum, std::string_view settings);

/// Returns the CRC-32 of all tokens of a vocabulary, in order.
std::uint32_t checksum(const Tokenizer& tokenizer);

}  // namespace tfm
