// Warns, before hours of training, of a model that is far too large for the training data, and of a
// run without validation data. The warnings are logged when a run starts, and are part of the
// report of a dry run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

/// What the advice depends on, in addition to the config.
struct RunSize {
  std::int64_t parameters = 0;
  std::int64_t vocabulary_parameters = 0;  ///< the parameters of embeddings and output layer
  std::int64_t pairs = 0;                  ///< sentence pairs of the training data
};

/// Returns one text per problem. Its first line describes the problem, the second says what to do.
/// Returns an empty list if there is nothing to advise.
std::vector<std::string> advise(const Config& config, const RunSize& size);

}  // namespace tfm
