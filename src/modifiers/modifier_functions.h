// The functions of the modifiers (config/modifiers.h). Each returns the changed pair, or the pair
// as it is if the modifier does not fit it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "tfm/core/uniform_random.h"
#include "tfm/modifiers/text_modifiers.h"

namespace tfm {

/// The input of a modifier besides the pair and its random numbers.
struct ModifierInput {
  const PairInText& original;
  const ModifierContext& context;
};

using ModifierFunction = TextPair (*)(TextPair, const ModifierInput&, RandomStream&);

TextPair to_upper_case(TextPair pair, const ModifierInput& input, RandomStream& random);
TextPair to_title_case(TextPair pair, const ModifierInput& input, RandomStream& random);
/// Mistypes the source at one place, and at up to one further place per ten words: letters are
/// exchanged, dropped, doubled, replaced or added, and spaces between letters dropped or added.
TextPair mistype(TextPair pair, const ModifierInput& input, RandomStream& random);
TextPair remove_final_punctuation(TextPair pair, const ModifierInput& input, RandomStream& random);
TextPair merge_with_next(TextPair pair, const ModifierInput& input, RandomStream& random);
TextPair replace_by_noise(TextPair pair, const ModifierInput& input, RandomStream& random);
TextPair append_copy(TextPair pair, const ModifierInput& input, RandomStream& random);
TextPair prepend_target_words(TextPair pair, const ModifierInput& input, RandomStream& random);
TextPair mark_terms(TextPair pair, const ModifierInput& input, RandomStream& random);
TextPair mark_random_terms(TextPair pair, const ModifierInput& input, RandomStream& random);
TextPair insert_noise(TextPair pair, const ModifierInput& input, RandomStream& random);

/// Returns one to `most` words of random letters and signs, each of one script.
std::string random_words(std::size_t most, RandomStream& random);

/// Calls the function with each part of the text, in order: the symbols, and the texts between
/// them, which may be empty.
void for_each_part(std::string_view text, std::span<const std::string> symbols,
                   const std::function<void(std::string_view part, bool is_symbol)>& visit);

}  // namespace tfm
