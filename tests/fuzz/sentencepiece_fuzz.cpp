// Checks that any bytes, read as a SentencePiece model, give a DataError or a tokenizer. The ids
// that the tokenizer returns must be smaller than its vocabulary and decodable.
#include <cstdlib>

#include "tfm/core/error.h"
#include "tfm/tokenizer/sentencepiece_tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const tfm::SentencePieceTokenizer tokenizer(
        std::string(reinterpret_cast<const char*>(data), size));
    const auto ids =
        tokenizer.encode("Two men, 4 d\xC3\xB6gs \xE2\x80\x94 and a \xF0\x9F\x8D\xBA.");
    for (const tfm::TokenId id : ids) {
      if (id < 0 || id >= tokenizer.size()) std::abort();
      tokenizer.piece(id);
    }
    tokenizer.decode(ids);
  } catch (const tfm::DataError&) {
  }
  return 0;
}
