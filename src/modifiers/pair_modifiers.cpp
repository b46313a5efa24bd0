// The modifiers that remove, join or mark parts of a pair.
#include <algorithm>
#include <optional>
#include <utility>

#include "modifier_functions.h"
#include "tfm/text/characters.h"
#include "tfm/text/sentences.h"
#include "tfm/text/utf8.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

bool ends_sentence(char32_t c) {
  return is_terminator(c) || is_cjk_terminator(c) || c == U':' || c == U';';
}

/// Returns the text without the punctuation at its end and the white space before it; nullopt if
/// it ends in no punctuation or has nothing else.
std::optional<std::string> without_final_punctuation(std::string_view text) {
  std::size_t kept = 0;         // the end of what stays
  std::size_t end_of_text = 0;  // without white space at the end
  for (std::size_t end = 0; end < text.size();) {
    const char32_t c = next_code_point(text, end);
    if (is_space(c)) continue;
    end_of_text = end;
    if (!ends_sentence(c)) kept = end;
  }
  if (kept == 0 || kept == end_of_text) return std::nullopt;
  return std::string(text.substr(0, kept));
}

std::int64_t count_words(std::string_view text) { return std::ssize(split_words(text)); }

/// Removes the links of words that the pair does not have any more at its end.
void drop_dead_links(TextPair& pair) {
  const auto sources = count_words(pair.source);
  const auto targets = count_words(pair.target);
  std::erase_if(pair.links, [&](const WordLink& link) {
    return link.source >= sources || link.target >= targets;
  });
}

/// Appends a sentence, and returns the number of words before its first one. This word is a part of
/// the word before if the script needs no space.
std::int64_t append_sentence(std::string& text, const std::string& next) {
  text += sentence_separator(text, " ", next) + next;
  return count_words(text) - count_words(next);
}

}  // namespace

TextPair remove_final_punctuation(TextPair pair, const ModifierInput& /*input*/,
                                  RandomStream& /*random*/) {
  auto source = without_final_punctuation(pair.source);
  auto target = without_final_punctuation(pair.target);
  if (!source || !target) return pair;
  pair.source = std::move(*source);
  pair.target = std::move(*target);
  drop_dead_links(pair);
  return pair;
}

TextPair merge_with_next(TextPair pair, const ModifierInput& input, RandomStream& random) {
  const TextPairs& text = input.original.text;
  const std::size_t index = input.original.index;
  const std::size_t last = std::min(index + 1 + random.below(3), text.size() - 1);
  for (std::size_t i = index + 1; i <= last; ++i) {
    const TextPair next = text[i];
    const auto sources_before = append_sentence(pair.source, next.source);
    const auto targets_before = append_sentence(pair.target, next.target);
    for (const auto& [source, target] : next.links)
      pair.links.push_back({source + sources_before, target + targets_before});
  }
  return pair;
}

TextPair prepend_target_words(TextPair pair, const ModifierInput& /*input*/, RandomStream& random) {
  constexpr std::size_t fewest = 2;
  constexpr std::size_t most = 5;
  const auto words = split_words(pair.target);
  if (words.size() < fewest) return pair;
  const std::size_t count = fewest + random.below(std::min(most, words.size()) - fewest + 1);
  const std::size_t first = random.below(words.size() - count + 1);
  std::string marked(prefix_begin);
  for (std::size_t i = first; i < first + count; ++i) marked.append(" ").append(words[i]);
  marked.append(" ").append(prefix_end).append(" ");
  pair.source.insert(0, marked);
  for (WordLink& link : pair.links) link.source += static_cast<std::int64_t>(count) + 2;
  return pair;
}

}  // namespace tfm
