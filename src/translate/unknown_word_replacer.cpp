#include "tfm/translate/unknown_word_replacer.h"

#include <algorithm>

#include "tfm/core/error.h"
#include "tfm/core/line_reader.h"
#include "tfm/text/words.h"

namespace tfm {

UnknownWordReplacer::UnknownWordReplacer(const std::filesystem::path& dictionary) {
  if (dictionary.empty()) return;
  LineReader reader(dictionary);
  for (std::string line; reader.next(line);) {
    if (line.empty()) continue;
    const auto tab = line.find('\t');
    if (tab == 0 || tab == line.npos || line.find('\t', tab + 1) != line.npos) {
      throw DataError(dictionary.string() + ":" + std::to_string(reader.line_number()),
                      "'" + line + "' is not a dictionary entry",
                      "Write a source word, one tab, and its translation.");
    }
    dictionary_.insert_or_assign(line.substr(0, tab), line.substr(tab + 1));
  }
}

void UnknownWordReplacer::replace(std::vector<TargetWord>& words, std::string_view source) const {
  const auto source_words = split_words(source);
  for (auto& word : words) {
    if (!word.unknown || word.source < 0 || word.source >= std::ssize(source_words)) continue;
    const auto source_word = source_words[static_cast<std::size_t>(word.source)];
    const auto entry = dictionary_.find(source_word);
    word.text = entry != dictionary_.end() ? entry->second : std::string(source_word);
  }
}

bool has_unknown(const TokenizerPair& tokenizers, const Candidate& candidate) {
  const TokenId unknown = tokenizers.target->special().unk;
  return unknown >= 0 && std::ranges::any_of(candidate.parts, [&](const EncodedPair& part) {
           return std::ranges::find(part.target, unknown) != part.target.end();
         });
}

std::string join_words(const std::vector<TargetWord>& words) {
  std::string text;
  for (const auto& word : words) {
    if (word.text.empty()) continue;
    if (!text.empty()) text += ' ';
    text += word.text;
  }
  return text;
}

}  // namespace tfm
