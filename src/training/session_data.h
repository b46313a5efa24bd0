// Reads the text of a session, and computes the fingerprints that its checkpoints record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/model/model_record.h"
#include "tfm/run/trainer_state.h"
#include "tfm/training/advice.h"

namespace tfm {

/// The text of a session, read once.
struct SessionText {
  ParallelText train;
  std::optional<ParallelText> valid;
  /// name and text of each set in data.valid_sets
  std::vector<std::pair<std::string, ParallelText>> valid_sets;
  ValidationOverlap overlap;         ///< of the validation with the training data
  CorpusSummary summary{};           ///< of the training data as the files contain it
  std::uint32_t train_checksum = 0;  ///< of `train`
};

/// Reads the training and validation data, logs what was skipped, and summarises it. Throws what
/// read_parallel throws, and ConfigError if the config names no training data.
SessionText load_text(const DataConfig& data);

/// With data.bidirectional, adds every training pair in the other direction. Subwords are learnt
/// before, from the text of the files.
void add_other_direction(SessionText& text, const DataConfig& data);

/// Returns the fingerprints of everything that determines the batches (the training data and the
/// fields that affect which examples a batch contains) and of everything that determines a score
/// (the validation data and the settings of the metric).
Fingerprints fingerprints_of(const SessionText& text, const Config& config);

/// Logs the size of the corpus and what was skipped.
void describe_corpus(const Corpus& corpus);

}  // namespace tfm
