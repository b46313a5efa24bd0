#include "tfm/translate/word_map.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tfm/text/words.h"

namespace tfm {
namespace {

/// Returns the index of the white-space-separated word that contains a tokenizer's word. Tokenizing
/// each word by itself, as text_word_ids does, may find fewer words than tokenizing the whole line,
/// as an alignment does. A word beyond the end is therefore mapped to the last one.
std::int64_t text_word(const std::vector<std::int64_t>& ids, std::int64_t word) {
  return ids[std::min(static_cast<std::size_t>(word), ids.size() - 1)];
}

}  // namespace

std::vector<std::int64_t> text_word_ids(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<std::int64_t> result;
  std::int64_t number = 0;
  for (const auto word : split_words(text)) {
    for (const TokenId id : tokenizer.encode(word)) {
      if (tokenizer.starts_word(id)) result.push_back(number);
    }
    ++number;
  }
  return result;
}

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
      // A segment may start within the last word of the previous one.
      if (begin > 0 || !part.no_space_before_target || words.empty()) words.emplace_back();
      TargetWord& word = words.back();
      word.text += target.decode(tokens);
      word.unknown =
          word.unknown || (target.special().unk >= 0 &&
                           std::ranges::find(tokens, target.special().unk) != tokens.end());
      if (log_probs.empty()) continue;
      const auto last = next_log_prob + std::ssize(tokens);
      word.log_prob += std::accumulate(next_log_prob, last, 0.0);
      next_log_prob = last;
    }
  }
  const auto text_words = text_word_ids(*tokenizers.source, source);
  if (text_words.empty()) return words;
  for (const auto& link : candidate.alignment) {
    if (link.target < std::ssize(words))
      words[static_cast<std::size_t>(link.target)].source = text_word(text_words, link.source);
  }
  return words;
}

WordAlignment text_links(const std::vector<TargetWord>& words) {
  WordAlignment links;
  const auto sources = source_word_ids(words);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] >= 0) links.push_back({sources[i], static_cast<std::int64_t>(i)});
  }
  std::ranges::sort(links);
  return links;
}

WordAlignment text_links(const WordAlignment& links, const std::vector<std::int64_t>& source,
                         const std::vector<std::int64_t>& target) {
  WordAlignment result;
  if (source.empty() || target.empty()) return result;
  for (const auto& link : links)
    result.push_back({text_word(source, link.source), text_word(target, link.target)});
  std::ranges::sort(result);
  const auto repeated = std::ranges::unique(result);
  result.erase(repeated.begin(), repeated.end());
  return result;
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
