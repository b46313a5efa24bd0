// Short fingerprints of text and of vocabularies, to detect data that changed before a run was
// resumed. Not for security.
#pragma once

#include <cstdint>
#include <string_view>

#include "tfm/data/corpus.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

/// CRC-32 over every line of both sides, in order, then over `settings`.
std::uint32_t checksum(const ParallelText& text, std::string_view settings = "");

/// CRC-32 over every token of a vocabulary, in order.
std::uint32_t checksum(const Tokenizer& tokenizer);

}  // namespace tfm
