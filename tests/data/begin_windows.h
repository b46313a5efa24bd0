// Begins the windows of a training corpus, for tests.
#pragma once

#include "tfm/data/batcher.h"
#include "tfm/data/training_corpus.h"

namespace tfm {

/// Begins an epoch of a corpus that is one window.
inline void begin_epoch(TrainingCorpus& corpus, std::int64_t epoch) {
  corpus.begin_window(EpochWindows(corpus.corpus(), {}), {.epoch = epoch});
}

/// Returns what a batcher of the corpus calls.
inline Batcher::BeginWindow begin_windows(TrainingCorpus& corpus) {
  return [&corpus](const EpochWindows& windows, Window window) {
    corpus.begin_window(windows, window);
  };
}

}  // namespace tfm
