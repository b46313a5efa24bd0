// Scores a model during training on validation data: cross-entropy per token, and BLEU and chrF of
// translations by the Translator that `tfm translate` uses. If there are several validation sets,
// the first decides which model is best; the scores on the other sets are only recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/model/model_folder.h"
#include "tfm/run/validation.h"
#include "tfm/text/word_alignment.h"

namespace tfm {

/// Returns the config's decoding options without the shortlist, because only finished models have
/// one.
DecodingConfig validation_decoding_config(const Config& config);

class Validator {
 public:
  /// Creates a validator with one validation set. BLEU and chrF use its first
  /// config.training.valid_sentences lines (0 means all). The loss uses the pairs that
  /// encode_corpus keeps; pairs that it skips or truncates are logged. Throws DataError if
  /// data.valid_alignment is set and the file cannot be read or has too few lines. `config` must
  /// outlive this object.
  Validator(const Config& config, ParallelText text, const TokenizerPair& tokenizers);

  /// Adds an extra validation set (data.valid_sets). If training.bleu_tokenizer is `auto`, the
  /// references of each set determine its BLEU tokenizer.
  void add(const std::string& name, ParallelText text, const TokenizerPair& tokenizers);

  /// Scores the model on all sets. Throws Interrupted after a signal, and NonFiniteError if the
  /// search meets a score that is NaN or +inf.
  Validation run(TranslationModel& model) const;

  /// Runs the computations that determine run()'s peak memory: for each set, the loss of the
  /// longest batch and the translation of one batch per thread. Translates the longest lines, which
  /// have the largest KV cache, and the shortest, whose batches have the most rows of logits.
  /// Throws Interrupted after a signal.
  void probe_peak_memory(TranslationModel& model) const;

  /// Returns the number of lines that run() translates, over all sets.
  std::size_t line_count() const;

  /// Returns the text of the first set.
  const ParallelText& text() const { return sets_.front().text; }
  /// Returns the gold alignments from data.valid_alignment, one per line of the validation files;
  /// empty if that field is not set.
  const std::vector<GoldAlignment>& alignments() const { return alignments_; }

 private:
  struct Set {
    std::string name;
    ParallelText text;
    Corpus corpus;
    BleuTokenizer bleu_tokenizer;  ///< BLEU tokenizer of this set; `auto` is already resolved
  };
  std::size_t line_count(const Set& set) const;
  /// Returns how the set is translated: with its tag.
  DecodingConfig decoding_of(const Set& set) const;
  /// Returns the batches for the loss, longest pairs first.
  std::vector<std::vector<std::int64_t>> batches(const Corpus& corpus) const;
  using ShowProgress = std::function<void(const char* work, double share)>;
  double mean_loss(const Corpus& corpus, TranslationModel& model, const ShowProgress& show) const;
  Validation score(const Set& set, TranslationModel& model) const;

  const Config& config_;
  std::vector<Set> sets_;
  std::vector<GoldAlignment> alignments_;
};

}  // namespace tfm
