// Chooses the model for a pair of languages. Codes are compared without regard to case. A variant
// falls back to its language ("pt-BR" to a model for "pt") and a language to its variants ("pt" to
// a model for "pt-BR").
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfm/data/language_pair.h"

namespace tfm {

class LanguageRouter {
 public:
  /// Entry i has the languages of model i. Throws ConfigError if there is no model, if a language
  /// is empty, or if two models have the same pair.
  explicit LanguageRouter(std::vector<LanguagePair> models);

  const std::vector<LanguagePair>& models() const { return models_; }
  /// Returns the index of the model that fits best, or nullopt.
  std::optional<std::size_t> find(std::string_view source, std::string_view target) const;
  /// Returns the source languages without repetition, in the order of the models.
  const std::vector<std::string>& sources() const { return sources_; }
  /// Returns the target languages without repetition, in the order of the models.
  const std::vector<std::string>& targets() const { return targets_; }
  /// Returns the languages of all models without repetition, the sources first.
  std::vector<std::string> languages() const;
  /// Returns true if a text in `source` already is in the language `target`, so that it needs no
  /// model: the two are one language or variants of it, and the models know it.
  bool needs_no_model(std::string_view source, std::string_view target) const;
  /// Returns the languages into which a language can be translated, in the order of the models.
  std::vector<std::string> targets(std::string_view source) const;
  /// Returns "de to en, en to de", with the number of the pairs after the first ten, for messages.
  std::string describe() const;

 private:
  std::vector<LanguagePair> models_;
  std::vector<std::string> sources_;
  std::vector<std::string> targets_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  // by codes in lower case
  std::map<std::string, std::vector<std::string>, std::less<>> targets_of_source_;
};

/// Returns how well an offered language fits a requested one: 0 if they are equal, a higher number
/// if one is a variant of the other, nullopt if they differ.
std::optional<int> language_distance(std::string_view requested, std::string_view offered);

}  // namespace tfm
