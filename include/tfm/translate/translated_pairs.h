// The pairs of languages that a model translates, each with the tags of its sentences.
#pragma once

#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/tagged_pairs.h"

namespace tfm {

struct TranslationModel;

/// Returns the pairs of a model that tfm trained (data/tagged_pairs.h), or all pairs of an imported
/// model that reads a tag of each language (data.language_tags). Their languages are named by
/// short_language_codes. Of an imported model, only the pairs with the languages of `only` are
/// returned; decoding.source_language and decoding.target_language do not count, because the
/// import sets them to the model's usual languages. Throws ConfigError if resolve_tagged_pairs
/// does, or if a vocabulary lacks a tag.
std::vector<TaggedPair> list_translated_pairs(const TranslationModel& model,
                                              const LanguagePair& only = {});

/// Returns the config for sentences with these tags: it names the tag of the source or, with a
/// target tag, both languages.
DecodingConfig with_tags(DecodingConfig decoding, const SentenceTags& tags);

}  // namespace tfm
