// Scores the model being trained on held-out text: cross-entropy per token, and BLEU and chrF of what the very Translator that users run makes of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/metrics/alignment.h"
#include "tfm/translate/model_folder.h"

namespace tfm {

struct Validation {
  double loss = 0;  ///< nats per target token, without label smoothing
  double bleu = 0;
  double chrf = 0;
  std::vector<std::string> hypotheses;

  /// Higher is better, whatever it is: the loss is negated.
  double score(BestBy by) const;
};

class Validator {
 public:
  /// BLEU and chrF take the first config.training.valid_sentences lines (0: all); the loss takes every pair within
  /// data.max_length; what it leaves out is said on the log. Throws DataError where data.valid_alignment
  /// does not fit the text.
  Validator(const Config& config, ParallelText text, const TokenizerPair& tokenizers);

  Validation run(TranslationModel& model) const;

  const ParallelText& text() const { return text_; }
  /// The true word alignments of data.valid_alignment, one a line of the validation files; empty where it names none.
  const std::vector<GoldAlignment>& alignments() const { return alignments_; }

 private:
  double mean_loss(TranslationModel& model) const;

  const Config& config_;
  ParallelText text_;
  Corpus corpus_;
  std::vector<GoldAlignment> alignments_;
};

}  // namespace tfm
