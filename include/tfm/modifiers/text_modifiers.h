// Changes pairs of the training text at random (data.modifiers), so that a model gets used to text
// in capitals, typing errors, missing punctuation and characters that it must copy. What happens to
// a pair depends only on (seed, epoch, text, pair): neither on the order in which pairs are changed
// nor on other modifiers, so a resumed run sees the same pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tfm/config/modifiers.h"
#include "tfm/text/letter_case.h"
#include "tfm/text/word_alignment.h"

namespace tfm {

/// The two sides of a pair of sentences, in valid UTF-8, and the links between their words
/// (split_words). Every modifier keeps the links right.
struct TextPair {
  std::string source;
  std::string target;
  WordAlignment links{};  ///< empty if unknown

  bool operator==(const TextPair&) const = default;
};

/// The pairs of a text of one direction, wherever they are.
class TextPairs {
 public:
  virtual ~TextPairs() = default;
  virtual std::size_t size() const = 0;
  virtual TextPair operator[](std::size_t i) const = 0;
};

/// A pair within a text, which must outlive this object. Modifier::merge reads the pairs that
/// follow.
struct PairInText {
  const TextPairs& text;
  std::size_t index = 0;
  DottedI source_i = DottedI::usual;  ///< of the language of the sources
  DottedI target_i = DottedI::usual;
};

/// What the random numbers of a pair depend on.
struct PairKey {
  std::uint64_t seed = 0;
  std::int64_t epoch = 0;
  std::size_t text = 0;  ///< the number of the text among those of the run
  std::size_t pair = 0;  ///< the index of the pair in its text
};

struct ModifiedPair {
  TextPair pair;
  std::vector<Modifier> changed_by;  ///< in the order of their application; empty if none did
};

/// The symbols of a run, which modifiers respect.
struct ModifierContext {
  std::vector<std::string> symbols{};        ///< texts that are not changed, such as tags
  std::vector<std::string> term_template{};  ///< see parse_term_template
};

class TextModifiers {
 public:
  TextModifiers() = default;
  TextModifiers(std::vector<ModifierSetting> settings, ModifierContext context);

  /// Returns false if apply() leaves the pair with this key as it is, which is known without its
  /// text.
  bool may_change(const PairKey& key) const;
  /// Returns the pair after all modifiers. No side is blank if those of the text are not.
  ModifiedPair apply(const PairInText& original, const PairKey& key) const;

 private:
  std::vector<ModifierSetting> settings_;
  ModifierContext context_;
};

}  // namespace tfm
