#include "tfm/modifiers/text_modifiers.h"

#include <algorithm>
#include <utility>

#include "modifier_functions.h"

namespace tfm {
namespace {

ModifierFunction function_of(Modifier modifier) {
  switch (modifier) {
    case Modifier::upper_case:
      return to_upper_case;
    case Modifier::title_case:
      return to_title_case;
    case Modifier::typos:
      return mistype;
    case Modifier::remove_punctuation:
      return remove_final_punctuation;
    case Modifier::merge:
      return merge_with_next;
    case Modifier::noise:
      return replace_by_noise;
    case Modifier::copy:
      return append_copy;
    case Modifier::prefix:
      return prepend_target_words;
    case Modifier::terms:
      return mark_terms;
    case Modifier::random_terms:
      return mark_random_terms;
    case Modifier::inline_noise:
      return insert_noise;
  }
  return nullptr;
}

/// Returns the random numbers of a modifier for a pair. Each modifier has a stream of its own, so
/// that it does not depend on the others.
RandomStream stream_of(Modifier modifier, const PairKey& key) {
  return RandomStream({key.seed, static_cast<std::uint64_t>(key.epoch), key.text, key.pair,
                       static_cast<std::uint64_t>(modifier)});
}

}  // namespace

TextModifiers::TextModifiers(std::vector<ModifierSetting> settings, ModifierContext context)
    : settings_(std::move(settings)), context_(std::move(context)) {}

bool TextModifiers::may_change(const PairKey& key) const {
  return std::ranges::any_of(settings_, [&](const ModifierSetting& setting) {
    return stream_of(setting.modifier, key).chance(setting.probability);
  });
}

ModifiedPair TextModifiers::apply(const PairInText& original, const PairKey& key) const {
  ModifiedPair result{.pair = original.text[original.index], .changed_by = {}};
  for (const auto& [modifier, probability] : settings_) {
    RandomStream random = stream_of(modifier, key);
    if (!random.chance(probability)) continue;
    auto changed = function_of(modifier)(result.pair, {original, context_}, random);
    if (changed == result.pair) continue;
    result.pair = std::move(changed);
    result.changed_by.push_back(modifier);
  }
  return result;
}

}  // namespace tfm
