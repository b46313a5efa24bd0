// What users want of translations, as text, turned into tokens that a search can force or forbid.
#pragma once

#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/search/spec.h"
#include "tfm/text/tokenizer.h"

namespace tfm {

/// Of one line's translation.
struct LineWishes {
  /// how it begins; empty: as decoding.target_prefix says
  std::string prefix;
  std::vector<std::string> forced_phrases;  ///< beside decoding.forced_phrases
};

class WishEncoder {
 public:
  /// Throws ConfigError where decoding's prefix or forced phrases hold what the vocabulary does not
  /// cover. A forbidden phrase of such text can't be said anyway and is left out. The tokenizer
  /// must outlive it.
  WishEncoder(const Tokenizer& target, const DecodingConfig& decoding);

  /// Decoding's wishes alone.
  const Constraints& general() const { return general_; }
  /// Decoding's wishes and a line's own; line: its number from 1, for errors. Throws DataError
  /// where the vocabulary does not cover them.
  Constraints of(const LineWishes& wishes, std::int64_t line) const;

 private:
  const Tokenizer& target_;
  Constraints general_;
};

}  // namespace tfm
