// The vocabulary of one batch: a subset of the target vocabulary, in the same order. With a
// shortlist, search uses indices into this subset instead of ids of the whole vocabulary.
#pragma once

#include <cstdint>
#include <span>

#include "tfm/search/hypothesis.h"
#include "tfm/search/search_request.h"
#include "tfm/tokenizer/vocab.h"

namespace tfm {

class ShortlistVocabulary {
 public:
  /// Combines `tokens` (any order, duplicates allowed) with the tokens that the requests need: bos,
  /// eos, the stop token, prefixes and forced phrases. Because GEMM kernels are compiled per size,
  /// pads the result to a multiple of 512, but at most to the whole vocabulary. The padding
  /// consists of the tokens with the lowest ids, which subword models give to frequent tokens.
  ShortlistVocabulary(TokenIds tokens, std::span<const SearchRequest> requests,
                      std::int64_t vocab_size);

  /// Returns the tokens of the subset in ascending order. In search, the id of a token is its index
  /// in this list.
  const TokenIds& tokens() const { return tokens_; }

  /// Converts the request's ids to indices. Drops forbidden phrases with a token outside the
  /// subset, because they cannot occur.
  SearchRequest to_shortlist(SearchRequest request) const;
  /// Converts the indices of a search result to token ids.
  SearchResult to_full(SearchResult result) const;

 private:
  /// Returns the index of a token, or -1 if it is not in the subset.
  TokenId place(TokenId token) const;

  TokenIds tokens_;
};

}  // namespace tfm
