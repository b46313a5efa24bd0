// Reads parallel text from two aligned files or one TSV file, and encodes it as token ids. Skipped
// pairs are counted by reason, and the first places per reason are recorded, so nothing is dropped
// silently. Unequal line counts and missing or empty files are errors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/example_list.h"
#include "tfm/data/mixture.h"
#include "tfm/data/pair_weights.h"
#include "tfm/text/letter_case.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

/// A line of a file, counted from 1.
struct LinePlace {
  std::filesystem::path file;
  std::int64_t line = 0;

  /// Returns "train.de:881".
  std::string text() const { return file.string() + ":" + std::to_string(line); }
};

/// Pairs that were skipped or truncated for one reason.
struct Skipped {
  std::string reason;  ///< "empty side", "invalid UTF-8", "over 256 tokens"
  std::int64_t count = 0;
  std::vector<LinePlace> first;  ///< the first places, at most 3
  bool truncated = false;        ///< true if the pairs were truncated, not skipped
};

/// The files of parallel text: two aligned files, or one TSV file (source TAB target, and TAB links
/// if it has links).
struct ParallelFiles {
  std::filesystem::path source;
  std::filesystem::path target;
  std::filesystem::path tsv;
  bool has_links = false;  ///< lines of the TSV file may have a third field: links between words

  bool empty() const { return source.empty() && tsv.empty(); }
  /// Returns the two files or the one.
  std::vector<std::filesystem::path> all() const;
};

/// Returns the files of the training data, or no files if the config names none.
ParallelFiles train_files(const DataConfig& config);
/// Returns the files of the training data. Throws ConfigError if the config names none.
ParallelFiles require_train_files(const DataConfig& config);
/// Returns the files of the validation set, or no files if the config names none.
ParallelFiles valid_files(const DataConfig& config);

/// A text that a run trains on.
struct TrainingSet {
  std::string name;  ///< empty if it is the only text
  ParallelFiles files;
  std::string tag;  ///< what its source sentences begin with; may be empty
};

/// Returns the texts that the config trains on: data.sets, or the files of train_files. Throws
/// ConfigError if there are none.
std::vector<TrainingSet> training_sets(const DataConfig& config);
/// Returns the files of all sets.
std::vector<std::filesystem::path> files_of(const std::vector<TrainingSet>& sets);

/// Returns the tag of a set, or an empty text. `valid` names the first validation set.
std::string tag_of(const DataConfig& config, std::string_view set);

/// Returns the name and files of each set in data.valid_sets.
std::vector<std::pair<std::string, ParallelFiles>> extra_valid_files(const DataConfig& config);

/// Aligned lines before encoding. line[i] is the line number of pair i in the file or files, from
/// 1.
struct ParallelText {
  std::vector<std::string> source;
  std::vector<std::string> target;
  std::vector<std::int64_t> line;
  std::vector<Skipped> skipped;
  ParallelFiles files;
  std::string tag{};  ///< the piece that every source sentence begins with; may be empty
  std::optional<PairWeights> weights{};  ///< how much the pairs count
  std::string set{};                     ///< the name of its set; empty if it is the only text
  /// For each pair, the links between its words in Pharaoh format; empty if unknown.
  std::vector<std::string> alignments{};
  /// The first pair with source and target exchanged, if the text has both directions.
  std::optional<std::size_t> first_reversed{};
};

/// Returns all lines of both sides, which are equally many, as pairs.
ParallelText pair_lines(std::vector<std::string> source, std::vector<std::string> target,
                        const ParallelFiles& files);

/// Reads aligned lines. A pair with invalid UTF-8 or a side without text, and a TSV line without
/// exactly one tab, are skipped and counted, or rejected with DataError if bad_lines is `error`.
/// Throws DataError if a file is missing, empty or unreadable, if the files differ in their numbers
/// of lines (the message states both), or if no pair is left.
ParallelText read_parallel(const ParallelFiles& files, BadLines bad_lines);

/// The weights of the examples [begin, end) of a corpus.
struct WeightedExamples {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  PairWeights weights;
};

class NumberedPairs;

/// The text of the examples [begin, end) of a corpus, in one direction.
struct TextOfExamples {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::shared_ptr<const NumberedPairs> pairs;
  std::size_t text = 0;        ///< the number of the text among those of the run
  std::size_t pairs_before{};  ///< the number of pairs of the same text in the other direction
  DottedI source_i = DottedI::usual;
  DottedI target_i = DottedI::usual;
  bool has_tag = false;  ///< whether source sentences begin with a tag
};

struct Corpus {
  /// Returns ExampleLengths::in_batch of each example.
  std::vector<std::int64_t> lengths(std::int64_t fixed) const;
  /// Returns the factor of the loss of example i. `line` is the example's line in its files.
  float weight(std::size_t i, std::int64_t line) const;

  ExampleList examples;
  std::vector<std::int64_t> lines;          ///< for each example, its index in the ParallelText
  std::vector<CorpusSet> sets{};            ///< empty if the corpus is not divided
  std::vector<WeightedExamples> weights{};  ///< in order; other examples have the weight 1
  std::vector<TextOfExamples> texts{};      ///< of all examples, in order; empty if unknown
  std::vector<Skipped> skipped;
  std::int64_t source_tokens = 0;
  std::int64_t target_tokens = 0;   ///< including one EOS per sentence
  std::int64_t source_unknown = 0;  ///< number of source pieces outside the vocabulary
  std::int64_t target_unknown = 0;
};

/// Encodes text. Pairs with a side over config.max_length tokens, including eos, are skipped,
/// truncated or rejected with DataError, depending on config.long_lines. If config.fixed_length is
/// set, longer pairs are truncated to it. Pairs with a side without tokens are skipped. `skipped`
/// in the result counts the pairs that were skipped or truncated here; pairs skipped by
/// read_parallel are in text.skipped. Throws DataError if no pair is left, or if a vocabulary lacks
/// a special token that the sentences need. The result does not depend on the number of threads.
Corpus encode_corpus(const ParallelText& text, const TokenizerPair& tokenizers,
                     const DataConfig& config, std::int64_t threads = 1);

/// Does the same for a part of a text, but does not throw if no pair is left.
Corpus encode_part(const ParallelText& text, const TokenizerPair& tokenizers,
                   const DataConfig& config, std::int64_t threads = 1);

/// Throws DataError, with what was skipped, if no pair of the text is left.
void require_examples(const Corpus& corpus, const ParallelFiles& files);

/// Appends the examples and adds the counts of a later part. `lines` of the part are appended
/// unchanged; its sets, weights and texts are not.
void append(Corpus& corpus, const Corpus& part);

/// Returns the number of pairs that were skipped, not truncated.
std::int64_t count_skipped(const std::vector<Skipped>& skipped);

/// Formats one line per reason, such as "12 pairs skipped: over 256 tokens (train.de:881,
/// train.de:1204, ...)".
std::vector<std::string> describe(const std::vector<Skipped>& skipped);

}  // namespace tfm
