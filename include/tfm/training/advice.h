// Warns at the start of a run, before hours of training, if the model is far too large for the
// training data, or if there is no validation data or much of it is training data. The report of a
// dry run contains the warnings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

struct Corpus;
struct TranslationModel;

/// The number of sentence pairs of the validation set, and how many of them are training pairs.
struct ValidationOverlap {
  std::int64_t valid_pairs = 0;
  std::int64_t shared_pairs = 0;
};

/// The sizes that the advice depends on, besides the config.
struct RunSize {
  std::int64_t parameters = 0;
  std::int64_t vocabulary_parameters = 0;  ///< parameters of embeddings and output layer
  std::int64_t pairs = 0;                  ///< sentence pairs of the training data
  ValidationOverlap overlap{};
};

RunSize measure_size(const TranslationModel& model, const Corpus& corpus,
                     const ValidationOverlap& overlap);

/// Returns one message per problem, or an empty list. The first line of a message describes the
/// problem, the second says what to do.
std::vector<std::string> advise(const Config& config, const RunSize& size);

}  // namespace tfm
