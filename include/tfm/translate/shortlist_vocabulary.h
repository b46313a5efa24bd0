// A batch's own vocabulary: some tokens of the whole one, in its order. Search works on their
// places in it and knows nothing of the others.
#pragma once

#include <cstdint>

#include "tfm/search/hypothesis.h"
#include "tfm/search/search_request.h"
#include "tfm/tokenizer/vocab.h"

namespace tfm {

class ShortlistVocabulary {
 public:
  /// tokens: any, in any order, and with them whatever the spec needs: its marks, prefixes and
  /// forced phrases. Filled up with the lowest ids of the vocab_size that there are (the frequent
  /// ones, as subword models count) to a multiple of 512: product kernels are compiled for each new
  /// size.
  ShortlistVocabulary(TokenIds tokens, const SearchRequest& spec, std::int64_t vocab_size);

  /// Ascending. A token's place in it is what search calls it.
  const TokenIds& tokens() const { return tokens_; }

  /// The spec in places. A forbidden phrase that can't occur is left out.
  SearchRequest local(SearchRequest spec) const;
  /// What was found, in tokens.
  SearchResult global(SearchResult result) const;

 private:
  /// -1 where it is not here.
  TokenId place(TokenId token) const;

  TokenIds tokens_;
};

}  // namespace tfm
