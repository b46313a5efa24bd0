// The pairs of languages that a model of tfm translates, each with the tag that its source
// sentences begin with. A model without data.tags has one pair. Otherwise, the pairs are those of
// data.sets and of the validation sets.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/data/language_pair.h"

namespace tfm {

struct TaggedPair {
  LanguagePair languages;
  SentenceTags tags{};

  bool operator==(const TaggedPair&) const = default;
};

/// Returns the languages of a set: those that its files or its name show, otherwise those that the
/// config names, or nullopt if it does not name both.
std::optional<LanguagePair> find_languages(const TrainingSet& set, const DataConfig& config);

/// Returns the pairs. The languages of a set are the endings of its files or the parts of its name
/// (de-en, en-pt_BR). If the sets of a pair have different tags, the pair gets that of its
/// validation set, or none if a set has none, or that of the first set. If decoding.source_tag or
/// decoding.target_language names a tag, only its pairs are returned. data.source_language and
/// data.target_language are those of sets of unknown languages, and of a model with one pair.
/// Throws ConfigError, which names the file that the config was read from, if the languages of a
/// set are not known.
std::vector<TaggedPair> resolve_tagged_pairs(const Config& config,
                                             const std::filesystem::path& file);

}  // namespace tfm
