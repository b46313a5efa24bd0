// The SentencePiece model of a tokenizer as other toolkits store it: a file with another name.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/core/atomic_file.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

/// Returns the bytes of the model of a tokenizer that has one. They are written to a temporary
/// folder beside `near` and read again. Throws ModelError if that fails.
inline std::string sentencepiece_bytes(const Tokenizer& tokenizer,
                                       const std::filesystem::path& near) {
  const ScratchFolder scratch(near);
  tokenizer.save(scratch.path(), "side");
  return read_file(scratch.path() / "side.model");
}

}  // namespace tfm
