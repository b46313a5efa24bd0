// Scores the model in training on held-out data: cross-entropy per token, and BLEU and chrF of the
// output of the Translator that users run. There may be several validation sets. The first decides
// which model is best; the scores of the others are only recorded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/metrics/alignment.h"
#include "tfm/model/model_folder.h"
#include "tfm/run/validation.h"

namespace tfm {

/// Returns how a model in training translates: as the config says, but from its whole vocabulary,
/// because shortlists belong to finished models.
DecodingConfig validation_decoding_config(const Config& config);

class Validator {
 public:
  /// BLEU and chrF use the first config.training.valid_sentences lines (0: all). The loss uses
  /// every pair within data.max_length; skipped pairs are logged. Throws DataError if
  /// data.valid_alignment does not fit the validation set.
  Validator(const Config& config, ParallelText text, const TokenizerPair& tokenizers);

  /// Adds an extra validation set (data.valid_sets).
  void add(const std::string& name, ParallelText text, const TokenizerPair& tokenizers);

  /// Throws Interrupted if a signal has come.
  Validation run(TranslationModel& model) const;

  /// Computes what takes most of run()'s memory. Of each set it computes the loss of the longest
  /// batch, and translates as many lines as are translated at once: the longest, which have most
  /// keys and values, and the shortest, whose batch has most rows of logits. Throws Interrupted as
  /// run() does.
  void probe_peak_memory(TranslationModel& model) const;

  /// Returns how many lines of all sets run() translates.
  std::size_t line_count() const;

  /// Returns the text of the first set.
  const ParallelText& text() const { return sets_.front().text; }
  /// Returns the gold alignments of data.valid_alignment, one per line of the validation files;
  /// empty if there is no such file.
  const std::vector<GoldAlignment>& alignments() const { return alignments_; }

 private:
  struct Set {
    std::string name;
    ParallelText text;
    Corpus corpus;
  };
  std::size_t line_count(const Set& set) const;
  /// Returns batches of pairs for the loss, the longest pairs first.
  std::vector<std::vector<std::int64_t>> batches(const Corpus& corpus) const;
  double mean_loss(const Corpus& corpus, TranslationModel& model) const;
  Validation score(const Set& set, TranslationModel& model) const;

  const Config& config_;
  std::vector<Set> sets_;
  std::vector<GoldAlignment> alignments_;
};

}  // namespace tfm
