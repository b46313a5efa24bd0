// Padded tensors of one batch. target_input is what the decoder sees (bos y1 .. yn), target_output
// what it must say (y1 .. yn eos).
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tfm/data/corpus.h"

namespace tfm {

struct Batch {
  torch::Tensor source;               ///< [B, S] int64, padded at the end with the source pad id
  torch::Tensor target_input;         ///< [B, T] int64
  torch::Tensor target_output;        ///< [B, T] int64
  std::vector<std::int64_t> indices;  ///< [B] the examples' indices in their corpus
  /// [B] where the examples stand in their files, from 1; 0: unknown
  std::vector<std::int64_t> lines;
  std::int64_t source_tokens = 0;  ///< without padding
  std::int64_t target_tokens = 0;  ///< without padding, eos included

  Batch to(torch::Device device) const;
};

/// Ids of unequal length as [B, max length] int64, filled with pad; at least min_width wide.
torch::Tensor pad_sequences(std::span<const TokenIds> rows, TokenId pad,
                            std::int64_t min_width = 0);

/// What a batch looks like beside its examples.
struct CollateOptions {
  SpecialTokens source;
  SpecialTokens target;
  std::int64_t fixed_length = 0;  ///< tokens of every row; 0: as many as the longest has
};

/// Pads the examples of the given indices into one batch.
Batch collate(const Corpus& corpus, std::span<const std::int64_t> indices,
              const CollateOptions& format);

/// Rows [begin, end) of a batch, without the columns that are padding in all of them (where no
/// fixed_length asks for these).
Batch slice_rows(const Batch& batch, std::size_t begin, std::size_t end,
                 const CollateOptions& format);

/// For people who look for them: "lines 3, 17, 40 and 12 more".
std::string lines_of(const Batch& batch);

}  // namespace tfm
