// Parallel text: aligned lines from two files or one TSV, then pairs of token ids. Whatever is left
// out is counted by reason, with the first places where it happened; nothing is dropped in silence.
// Unequal line counts, a missing or empty file are errors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

/// Why lines were left out (or cut), how many, and where first.
struct Skipped {
  std::string reason;  ///< "empty side", "invalid UTF-8", "over 256 tokens"
  std::int64_t count = 0;
  std::vector<std::string> first;  ///< at most 3 places, "train.de:881"
  bool cut = false;                ///< the pairs were kept, but cut
};

/// Where parallel text comes from: two aligned files, or one TSV (source TAB target).
struct ParallelFiles {
  std::filesystem::path source;
  std::filesystem::path target;
  std::filesystem::path tsv;

  bool empty() const { return source.empty() && tsv.empty(); }
};

ParallelFiles train_files(const DataConfig& config);
ParallelFiles valid_files(const DataConfig& config);

/// The files of each of data.valid_sets, by its name.
std::vector<std::pair<std::string, ParallelFiles>> extra_valid_files(const DataConfig& config);

/// Aligned raw lines. line[i] is the 1-based line in the file(s) that pair i came from.
struct ParallelText {
  std::vector<std::string> source;
  std::vector<std::string> target;
  std::vector<std::int64_t> line;
  std::vector<Skipped> skipped;
  ParallelFiles files;
};

/// Reads aligned lines. Invalid UTF-8, a side without text and a TSV line without exactly one tab
/// are skipped and counted, or thrown at once where bad_lines is error. Throws DataError for a
/// missing, empty or unreadable file, for unequal line counts (both counts named), and where
/// nothing is left.
ParallelText read_parallel(const ParallelFiles& files, BadLines bad_lines);

/// One training example: ids without padding. Source ends with eos where DataConfig.source_eos;
/// target has neither bos nor eos (batches add them).
struct Example {
  TokenIds source;
  TokenIds target;
  std::int64_t line = 0;  ///< from 1, in the file(s) it came from; 0: unknown

  /// max(S, T): tokens of the longer side, the target's end mark included.
  std::int64_t length() const { return std::max(std::ssize(source), std::ssize(target) + 1); }
};

struct Corpus {
  /// Of each example as a batch has it: `fixed`, or its own where that is 0.
  std::vector<std::int64_t> lengths(std::int64_t fixed) const;

  std::vector<Example> examples;
  std::vector<std::int64_t> lines;  ///< each example's index in the text
  std::vector<Skipped> skipped;
  std::int64_t source_tokens = 0;
  std::int64_t target_tokens = 0;   ///< with each sentence's eos
  std::int64_t source_unknown = 0;  ///< tokens that the vocabulary does not cover
  std::int64_t target_unknown = 0;
};

/// Encodes text. Pairs with a side over config.max_length tokens, end mark included, are skipped,
/// cut or thrown, by config.long_lines; those over config.fixed_length are cut. The result's
/// `skipped` counts what encoding left out; what reading left out stays in the text's. Throws
/// DataError where nothing is left or a vocabulary lacks a mark that the sentences need.
Corpus encode_corpus(const ParallelText& text, const TokenizerPair& tokenizers,
                     const DataConfig& config);

/// One line a reason: "12 pairs skipped: over 256 tokens (train.de:881, train.de:1204, ...)".
std::vector<std::string> describe(const std::vector<Skipped>& skipped);

}  // namespace tfm
