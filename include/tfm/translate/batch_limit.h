// The largest batch of translation, scoring and alignment: decoding.batch_size, or a size that
// suits the device. On the CPU, each thread has a batch of its own, and larger ones are not faster.
// A GPU needs many rows to be busy, and its memory decides how many. The estimate of the memory is
// generous. A batch that still does not fit is computed in halves (core/out_of_memory.h).
#pragma once

#include <cstdint>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/model/model_folder.h"

namespace tfm {

struct BatchLimit {
  BatchType type = BatchType::tokens;
  std::int64_t size = 0;

  bool operator==(const BatchLimit&) const = default;
};

/// Returns the limit that decoding sets, or the one for the CPU if it is auto.
BatchLimit batch_limit(const DecodingConfig& decoding);

/// Returns the limit that decoding sets. If it is auto, returns the one for the device of the
/// models, which translate together, with its free memory at this time.
BatchLimit batch_limit(const DecodingConfig& decoding,
                       const std::vector<TranslationModel*>& models);

/// Returns an estimate of the bytes of memory per source token that a batch needs during
/// translation, in fp32, with `rows` hypotheses per sentence and V tokens in the target vocabulary.
double decoding_bytes_per_token(const ModelConfig& model, std::int64_t vocab_size,
                                std::int64_t rows);

/// Returns the limit in tokens for so much free memory: half of it is used.
std::int64_t tokens_for_memory(double free_bytes, double bytes_per_token);

}  // namespace tfm
