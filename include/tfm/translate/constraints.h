// Lexical constraints given as text, and their encoding into tokens that a search can force or ban.
#pragma once

#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/search/search_request.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

/// Constraints on one line's translation.
struct LineConstraints {
  /// the text that the translation begins with; if empty, decoding.target_prefix applies
  std::string prefix;
  std::vector<std::string> forced_phrases;  ///< phrases in addition to decoding.forced_phrases
};

class ConstraintEncoder {
 public:
  /// Encodes the constraints of `decoding`. Throws ConfigError if the vocabulary does not cover the
  /// prefix or a forced phrase. Skips forbidden phrases that the vocabulary does not cover, because
  /// they cannot be generated. The tokenizer must outlive the encoder.
  ConstraintEncoder(const Tokenizer& target, const DecodingConfig& decoding);

  /// Returns the constraints of the decoding config alone.
  const Constraints& general() const { return general_; }
  /// Returns the constraints of the decoding config combined with those of a line. `line` is the
  /// line number from 1, for errors. Throws DataError if the vocabulary does not cover the text of
  /// the line's constraints.
  Constraints encode(const LineConstraints& constraints, std::int64_t line) const;

 private:
  const Tokenizer& target_;
  Constraints general_;
};

}  // namespace tfm
