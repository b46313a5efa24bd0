// How calls of a Translator share batches, which is what a service needs: many callers, each with a
// few lines. The sentences of all calls wait in one queue. Each worker is a thread with a batch of
// its own, for whose operations LibTorch has as many threads as for any other (ThreadCountGuard).
// Between two steps of a batch, finished sentences leave, and waiting ones join it if the models
// support that (continuous batching); otherwise, they begin the next batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tfm {

struct SharedBatches {
  std::size_t workers = 0;     ///< number of batches at once; 0: no call shares its batches
  std::size_t sentences = 32;  ///< the most sentences of a batch
  std::int64_t tokens = 4096;  ///< the most source tokens of a batch of several sentences
  /// Is called with the number of sentences in a batch when sentences have joined it, by the
  /// worker. May be empty.
  std::function<void(std::size_t)> on_join{};
};

}  // namespace tfm
