// The padded tensors of one batch. target_input is what the decoder reads (bos y1 .. yn), and
// target_output is what it must predict (y1 .. yn eos).
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tfm/data/corpus.h"

namespace tfm {

struct Batch {
  torch::Tensor source;         ///< [B, S] int64, padded at the end
  torch::Tensor target_input;   ///< [B, T] int64
  torch::Tensor target_output;  ///< [B, T] int64
  /// [B] fp32: how much the loss of each pair counts; undefined if every pair has the weight 1
  torch::Tensor weights{};
  std::vector<std::int64_t> indices;  ///< [B] indices of the examples in their corpus
  /// [B] line numbers of the examples in their files, counted from 1; 0 means unknown
  std::vector<std::int64_t> lines;
  std::span<const CorpusSet> sets{};  ///< those of the corpus, which must outlive the batch
  std::int64_t source_tokens = 0;     ///< number of source tokens without padding
  std::int64_t target_tokens = 0;     ///< number of target tokens without padding, including eos

  /// Returns the batch, which is on the CPU, with its tensors copied to the device (upload in
  /// device.h).
  Batch to(torch::Device device) const;
  /// Returns the batch, still on the CPU, in memory from which to() does not wait for the device.
  Batch staged(torch::Device device) const;
};

/// Returns rows of different lengths as [B, max length] int64, padded at the end with `pad`. The
/// width is at least min_width.
torch::Tensor pad_sequences(std::span<const TokenIds> rows, TokenId pad,
                            std::int64_t min_width = 0);

/// The special tokens and the padded length of batches.
struct CollateOptions {
  SpecialTokens source;
  SpecialTokens target;
  /// minimum length that rows are padded to; 0 means the length of the longest row
  std::int64_t fixed_length = 0;
};

/// Pads the examples at `indices` into one batch.
Batch collate(const Corpus& corpus, std::span<const std::int64_t> indices,
              const CollateOptions& format);

/// Returns rows [begin, end) of a batch. Columns at the end that contain only padding in these rows
/// are removed, unless fixed_length is set.
Batch slice_rows(const Batch& batch, std::size_t begin, std::size_t end,
                 const CollateOptions& format);

/// Returns the line numbers of the examples for an error message, such as "lines 3, 17, 40", or
/// "lines news:3, news:17, talks:2" if the corpus is divided into sets. After ten numbers, only the
/// count of the others follows: " and 12 more".
std::string describe_lines(const Batch& batch);

}  // namespace tfm
