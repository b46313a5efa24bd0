// What users want of translations, as text, turned into tokens that a search can force or forbid.
#pragma once

#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/search/search_request.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

/// Of one line's translation.
struct LineConstraints {
  /// how it begins; empty: as decoding.target_prefix says
  std::string prefix;
  std::vector<std::string> forced_phrases;  ///< beside decoding.forced_phrases
};

class ConstraintEncoder {
 public:
  /// Throws ConfigError where decoding's prefix or forced phrases hold what the vocabulary does not
  /// cover. A forbidden phrase of such text can't be said anyway and is left out. The tokenizer
  /// must outlive it.
  ConstraintEncoder(const Tokenizer& target, const DecodingConfig& decoding);

  /// Decoding's constraints alone.
  const Constraints& general() const { return general_; }
  /// Decoding's constraints and a line's own; line: its number from 1, for errors. Throws DataError
  /// where the vocabulary does not cover them.
  Constraints of(const LineConstraints& constraints, std::int64_t line) const;

 private:
  const Tokenizer& target_;
  Constraints general_;
};

}  // namespace tfm
