// Reads the text of a session, and computes the fingerprints that its checkpoints record.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/data/training_corpus.h"
#include "tfm/distributed/process_group.h"
#include "tfm/model/model_folder.h"
#include "tfm/model/model_record.h"
#include "tfm/run/trainer_state.h"
#include "tfm/tokenizer/tokenizer.h"
#include "tfm/training/advice.h"

namespace tfm {

/// A vocabulary that an earlier session learnt from the same text, with the same settings.
struct KeptVocabulary {
  TokenizerConfig config;  ///< as that session recorded it, with numbers for `auto`
  TokenizerPair tokenizers;
};

/// The text of a session.
struct SessionText {
  /// The training data, one text per set. If it is in shards, only a sample of it to learn the
  /// vocabulary from, or nothing if the run has a vocabulary.
  std::vector<ParallelText> train;
  /// The folder of the shards of training data that is too large for memory.
  std::optional<std::filesystem::path> shards;
  /// The place of a vocabulary that is learnt from text in shards, and the one that is kept there.
  std::optional<std::filesystem::path> vocabulary;
  std::optional<KeptVocabulary> kept_vocabulary{};
  std::int64_t train_bytes = 0;  ///< the bytes of all lines; 0 if the run has a vocabulary
  std::int64_t train_pairs = 0;  ///< in all directions
  std::optional<ParallelText> valid;
  /// name and text of each set in data.valid_sets
  std::vector<std::pair<std::string, ParallelText>> valid_sets;
  ValidationOverlap overlap;         ///< of the validation with the training data
  CorpusSummary summary{};           ///< of the training data as the files contain it
  std::uint32_t train_checksum = 0;  ///< of the training data in all directions
  /// The training data as ids, if it is in shards and complete_text has loaded them.
  std::optional<Corpus> in_shards{};
};

/// Reads the training and validation data, logs what was skipped, and summarises it. Of training
/// data that will be in shards, it reads only a sample, and only if the run `learns` its vocabulary
/// and none is kept; the rest follows in load_shards. Throws what read_parallel throws, and
/// ConfigError if the config names no training data.
SessionText load_text(const Config& config, bool learns);

/// Returns the examples of training data in shards, which rank 0 makes if necessary, and completes
/// `text`. All ranks must call it. Throws what prepare_shards throws.
Corpus load_shards(SessionText& text, const TranslationModel& model, const ProcessGroup& group);

/// Completes the training data for a run: loads its shards (load_shards), or, with
/// data.bidirectional, adds every pair in memory in the other direction. Subwords are learnt
/// before, from the text of the files.
void complete_text(SessionText& text, const TranslationModel& model, const ProcessGroup& group);

/// Returns the examples of the complete training data. Text in memory is encoded now, and must
/// outlive the result, as `model` must. Throws what TrainingCorpus throws.
TrainingCorpus make_training_corpus(SessionText& text, const TranslationModel& model);

/// Returns the fingerprints of everything that determines the batches (the training data and the
/// fields that affect which examples a batch contains) and of everything that determines a score
/// (the validation data and the settings of the metric).
Fingerprints fingerprints_of(const SessionText& text, const Config& config);

/// Logs the size of the corpus and what was skipped.
void describe_corpus(const Corpus& corpus);

}  // namespace tfm
