// The inputs of a search over a batch of sentences: special tokens, maximum lengths and the user's
// constraints on each translation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tfm {

/// Lexical constraints on the translation of one sentence.
struct Constraints {
  /// the tokens that the translation starts with, even if they are forbidden; no longer than the
  /// sentence's entry in SearchRequest::max_lengths
  std::vector<std::int32_t> prefix;
  /// phrases that the translation must contain; only beam search supports them (forced_phrases.h)
  std::vector<std::vector<std::int32_t>> forced;
  /// phrases that the translation must not contain, except within the prefix or a forced phrase
  std::vector<std::vector<std::int32_t>> forbidden;
};

struct SearchRequest {
  /// Returns the last token that the model reads before the translation of a sentence.
  std::int32_t first_token(std::size_t sentence) const {
    return target_tags.empty() ? bos : target_tags[sentence];
  }
  /// Returns the token that the model reads before first_token, or -1.
  std::int32_t token_before() const { return target_tags.empty() ? -1 : bos; }

  std::int32_t bos = 0;
  std::int32_t eos = 0;
  /// The maximum number of target tokens of each sentence, without eos. A hypothesis of that length
  /// is advanced once more, to find out whether it ends there. The model must therefore support
  /// max_length + 1 positions, including bos, and one more if there are target tags.
  std::vector<std::int64_t> max_lengths;
  /// for each sentence, a token that the model reads after bos, before the translation, of which it
  /// is not part; its probability does not count; empty for none
  std::vector<std::int32_t> target_tags;
  /// tokens that are generated only if a constraint forces them: padding, bos, the unknown token
  std::vector<std::int32_t> forbidden;
  /// a token that ends a translation like eos but remains part of the text; -1 for none
  std::int32_t stop = -1;

  std::vector<Constraints> constraints;  ///< one per sentence; empty if there are no constraints
  /// the RNG stream of each sentence for sampling; if empty, stream i is used for sentence i
  std::vector<std::uint64_t> streams;
  std::int64_t alternatives = 0;  ///< number of Hypothesis::alternatives to return per token
  bool scores = true;  ///< if false, log-probabilities and scores may be missing (needs_log_probs)
  /// number of source tokens of each sentence, which is the number of columns of
  /// StepModel::attention that are not padding; needed only for the coverage penalty
  std::vector<std::int64_t> source_lengths;
};

}  // namespace tfm
