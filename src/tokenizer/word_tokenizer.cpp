#include "tfm/tokenizer/word_tokenizer.h"

#include "tfm/text/words.h"

namespace tfm {

TokenIds WordTokenizer::encode(std::string_view text, std::vector<std::string>* unknown) const {
  TokenIds ids;
  for (const std::string_view word : split_words(text)) {
    const auto id = vocab_.find(word);
    if (id && !special().contains(*id)) {
      ids.push_back(*id);
      continue;
    }
    if (special().unk >= 0) ids.push_back(special().unk);
    if (unknown != nullptr) unknown->emplace_back(word);
  }
  return ids;
}

std::string WordTokenizer::decode(std::span<const TokenId> ids) const {
  std::string text;
  for (const TokenId id : ids) {
    if (special().contains(id)) continue;
    if (!text.empty()) text += ' ';
    text += vocab_.token(id);
  }
  return text;
}

std::uint32_t WordTokenizer::encoding_checksum() const { return vocab_.checksum(); }

void WordTokenizer::save(const std::filesystem::path& folder, std::string_view stem) const {
  vocab_.write(folder / (std::string(stem) + ".vocab"));
}

}  // namespace tfm
