#include "tfm/translate/word_map.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tfm/text/words.h"

namespace tfm {
namespace {

/// Returns, for each word that the tokenizer finds in the source, the index of the
/// white-space-separated word that contains it.
std::vector<std::int64_t> text_word_ids(const Tokenizer& tokenizer, std::string_view source) {
  std::vector<std::int64_t> result;
  std::int64_t number = 0;
  for (const auto word : split_words(source)) {
    for (const TokenId id : tokenizer.encode(word)) {
      if (tokenizer.starts_word(id)) result.push_back(number);
    }
    ++number;
  }
  return result;
}

}  // namespace

std::vector<TargetWord> target_words(const TokenizerPair& tokenizers, std::string_view source,
                                     const Candidate& candidate) {
  std::vector<TargetWord> words;
  const auto& target = *tokenizers.target;
  const auto& log_probs = candidate.token_log_probs;
  auto next_log_prob = log_probs.begin();
  for (const auto& part : candidate.parts) {
    const auto numbers = word_ids(target, part.target);
    for (std::size_t begin = 0, end = 0; begin < numbers.size(); begin = end) {
      end = static_cast<std::size_t>(
          std::upper_bound(numbers.begin(), numbers.end(), numbers[begin]) - numbers.begin());
      const std::span<const TokenId> tokens(part.target.data() + begin, end - begin);
      const bool unknown = target.special().unk >= 0 &&
                           std::ranges::find(tokens, target.special().unk) != tokens.end();
      words.push_back({target.decode(tokens), unknown, -1});
      if (log_probs.empty()) continue;
      const auto last = next_log_prob + std::ssize(tokens);
      words.back().log_prob = std::accumulate(next_log_prob, last, 0.0);
      next_log_prob = last;
    }
  }
  const auto text_words = text_word_ids(*tokenizers.source, source);
  if (text_words.empty()) return words;
  for (const auto& link : candidate.alignment) {
    // text_words comes from tokenizing each word by itself, which may find fewer words than
    // tokenizing the whole line, as the alignment did. A source index beyond the end of text_words
    // is therefore mapped to the last word.
    const auto tokenizer_word =
        std::min(static_cast<std::size_t>(link.source), text_words.size() - 1);
    if (link.target < std::ssize(words))
      words[static_cast<std::size_t>(link.target)].source = text_words[tokenizer_word];
  }
  return words;
}

std::vector<std::int64_t> source_word_ids(const std::vector<TargetWord>& words) {
  std::vector<std::int64_t> sources;
  for (const auto& word : words)
    sources.insert(sources.end(), split_words(word.text).size(), word.source);
  return sources;
}

std::vector<AlignedWord> aligned_words(const std::vector<TargetWord>& words) {
  std::vector<AlignedWord> result;
  for (const auto& word : words) {
    for (const auto text : split_words(word.text))
      result.push_back({std::string(text), std::exp(word.log_prob), word.source});
  }
  return result;
}

}  // namespace tfm
