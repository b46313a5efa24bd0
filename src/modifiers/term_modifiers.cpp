// The modifiers that need word alignments. They write translations and noise beside the terms that
// they translate: linked words that are consecutive on both sides (Dinu et al. 2019).
#include <algorithm>
#include <functional>
#include <utility>

#include "modifier_functions.h"
#include "tfm/text/unicode_categories.h"
#include "tfm/text/utf8.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

constexpr std::size_t most_terms = 3;  // of a pair
constexpr std::size_t most_words = 3;  // of a term, on each side

/// Words of one side of a pair, and the bytes [begin, end) of them without punctuation around them.
struct Place {
  WordRange words;
  std::size_t begin = 0;
  std::size_t end = 0;

  std::string text(std::string_view side) const {
    return std::string(side.substr(begin, end - begin));
  }
};

struct Term {
  Place source;
  Place target;
};

/// Returns the place of words without the punctuation at both ends. The place is empty if the words
/// have nothing else.
Place place_of(const WordRange& range, std::string_view side,
               const std::vector<std::string_view>& words) {
  const auto offset = [&](const char* at) { return static_cast<std::size_t>(at - side.data()); };
  const std::string_view first = words[range.first];
  const std::string_view last = words[range.first + range.count - 1];
  const std::size_t begin = offset(first.data());
  const std::string_view text = side.substr(begin, offset(last.data()) + last.size() - begin);
  Place place{.words = range, .begin = begin, .end = begin};
  bool is_empty = true;
  for (std::size_t end = 0; end < text.size();) {
    const std::size_t start = end;
    if (unicode_category(next_code_point(text, end)) == UnicodeCategory::punctuation) continue;
    if (std::exchange(is_empty, false)) place.begin = begin + start;
    place.end = begin + end;
  }
  return place;
}

bool has_symbol(std::string_view text, const std::vector<std::string>& symbols) {
  return std::ranges::any_of(symbols, [text](const std::string& symbol) {
    return text.find(symbol) != std::string_view::npos;
  });
}

/// Returns the terms of a pair that its target translates by other words.
std::vector<Term> find_terms(const TextPair& pair, const std::vector<std::string>& symbols) {
  const auto sources = split_words(pair.source);
  const auto targets = split_words(pair.target);
  std::vector<Term> terms;
  for (const LinkedWords& group : linked_words(pair.links, most_words)) {
    const Term term{place_of(group.source, pair.source, sources),
                    place_of(group.target, pair.target, targets)};
    const std::string source = term.source.text(pair.source);
    const std::string target = term.target.text(pair.target);
    if (!source.empty() && !target.empty() && source != target && !has_symbol(source, symbols) &&
        !has_symbol(target, symbols))
      terms.push_back(term);
  }
  return terms;
}

/// Draws one to three of the terms; fewer if the pair has fewer.
std::vector<Term> draw_terms(std::vector<Term> terms, RandomStream& random) {
  const std::size_t count = std::min(terms.size(), 1 + random.below(most_terms));
  for (std::size_t i = 0; i < count; ++i)
    std::swap(terms[i], terms[i + random.below(terms.size() - i)]);
  terms.resize(count);
  return terms;
}

/// New text for a place of one side.
struct Edit {
  Place place;
  std::string text;

  /// Returns how many words the side gets more by this edit.
  std::int64_t added_words() const {
    return std::ssize(split_words(text)) - static_cast<std::int64_t>(place.words.count);
  }
};

std::string with_edits(std::string_view side, std::vector<Edit> edits) {
  std::ranges::sort(edits, {}, [](const Edit& edit) { return edit.place.begin; });
  std::string text;
  std::size_t copied = 0;
  for (const Edit& edit : edits) {
    text.append(side.substr(copied, edit.place.begin - copied)).append(edit.text);
    copied = edit.place.end;
  }
  return text.append(side.substr(copied));
}

/// Returns the number of a word after the edits, none of which has replaced it.
std::int64_t number_after(std::int64_t word, const std::vector<Edit>& edits) {
  std::int64_t number = word;
  for (const Edit& edit : edits)
    if (static_cast<std::int64_t>(edit.place.words.first) < word) number += edit.added_words();
  return number;
}

/// Returns what replaces a term and its translation.
using Replacement = std::function<TextPair(const std::string& source, const std::string& target)>;

/// Replaces one to three terms. The new words have no links, so no other modifier changes them.
TextPair replace_terms(TextPair pair, const ModifierInput& input, RandomStream& random,
                       const Replacement& replace) {
  std::vector<Edit> sources;
  std::vector<Edit> targets;
  for (const auto& [source, target] : draw_terms(find_terms(pair, input.context.symbols), random)) {
    TextPair replaced = replace(source.text(pair.source), target.text(pair.target));
    sources.push_back({source, std::move(replaced.source)});
    targets.push_back({target, std::move(replaced.target)});
  }
  TextPair result{with_edits(pair.source, sources), with_edits(pair.target, targets)};
  for (const auto& [source, target] : pair.links) {
    const bool is_replaced = std::ranges::any_of(
        sources, [source](const Edit& edit) { return edit.place.words.contains(source); });
    if (!is_replaced)
      result.links.push_back({number_after(source, sources), number_after(target, targets)});
  }
  return result;
}

std::string fill_template(const std::vector<std::string>& words, const std::string& term,
                          const std::string& translation) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word == term_place ? term : word == translation_place ? translation : word;
  }
  return text;
}

}  // namespace

TextPair mark_terms(TextPair pair, const ModifierInput& input, RandomStream& random) {
  return replace_terms(
      std::move(pair), input, random, [&](const std::string& source, const std::string& target) {
        return TextPair{fill_template(input.context.term_template, source, target), target};
      });
}

TextPair mark_random_terms(TextPair pair, const ModifierInput& input, RandomStream& random) {
  return replace_terms(std::move(pair), input, random,
                       [&](const std::string& source, const std::string& /*target*/) {
                         const std::string noise = random_words(3, random);
                         return TextPair{fill_template(input.context.term_template, source, noise),
                                         noise};
                       });
}

TextPair insert_noise(TextPair pair, const ModifierInput& input, RandomStream& random) {
  return replace_terms(std::move(pair), input, random,
                       [&](const std::string& source, const std::string& target) {
                         const std::string noise = " " + random_words(3, random);
                         return TextPair{source + noise, target + noise};
                       });
}

}  // namespace tfm
