// Checks that any bytes, read as a vocabulary list, give a DataError or a vocabulary in which each
// token is found under its id.
#include <cstdlib>

#include "memory_file.h"
#include "tfm/core/error.h"
#include "tfm/tokenizer/vocab.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tfm::MemoryFile file(data, size);
  try {
    const auto vocab = tfm::Vocab::read(file.path(), {});
    for (tfm::TokenId id = 0; id < vocab.size(); ++id) {
      if (vocab.find(vocab.token(id)) != id) std::abort();
    }
  } catch (const tfm::DataError&) {
  }
  return 0;
}
