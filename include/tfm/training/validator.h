// Scores the model being trained on held-out text: cross-entropy per token, and BLEU and chrF of
// what the very Translator that users run makes of it. There may be several texts; the first
// decides which model is best, the others are told beside it.
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

/// How a model in training translates: as the config says, but from its whole vocabulary, since
/// shortlists are made of finished models.
DecodingConfig validation_decoding_config(const Config& config);

class Validator {
 public:
  /// BLEU and chrF take the first config.training.valid_sentences lines (0: all); the loss takes
  /// every pair within data.max_length; what it leaves out is said on the log. Throws DataError
  /// where data.valid_alignment does not fit the text.
  Validator(const Config& config, ParallelText text, const TokenizerPair& tokenizers);

  /// A further set (data.valid_sets).
  void add(const std::string& name, ParallelText text, const TokenizerPair& tokenizers);

  /// Throws Interrupted once a signal has come.
  Validation run(TranslationModel& model) const;

  /// What takes most of run()'s memory: of each set the longest batch's loss, and as many lines
  /// translated as are translated at once: of the longest, whose keys and values are the most, and
  /// of the shortest, a batch of which has the most rows of logits. Throws Interrupted as run()
  /// does.
  void probe_peak_memory(TranslationModel& model) const;

  /// That run() translates, of all sets.
  std::size_t line_count() const;

  /// The first set's.
  const ParallelText& text() const { return sets_.front().text; }
  /// The true word alignments of data.valid_alignment, one a line of the validation files; empty
  /// where it names none.
  const std::vector<GoldAlignment>& alignments() const { return alignments_; }

 private:
  struct Set {
    std::string name;
    ParallelText text;
    Corpus corpus;
  };
  std::size_t line_count(const Set& set) const;
  /// Batches of pairs for the loss, the longest pairs first.
  std::vector<std::vector<std::int64_t>> batches(const Corpus& corpus) const;
  double mean_loss(const Corpus& corpus, TranslationModel& model) const;
  Validation score(const Set& set, TranslationModel& model) const;

  const Config& config_;
  std::vector<Set> sets_;
  std::vector<GoldAlignment> alignments_;
};

}  // namespace tfm
