#include "tfm/training/update_batches.h"

#include <utility>

#include "tfm/config/data_sets.h"

namespace tfm {

BatcherOptions batcher_options(const Config& config, const Corpus& corpus) {
  const auto& training = config.training;
  std::vector<DataStage> stages;
  for (const std::string& stage : config.data.stages) stages.push_back(parse_stage(stage).value());
  return {.type = training.batch_type,
          .size = training.batch_size,
          .fixed_length = config.data.fixed_length,
          .shuffle = training.shuffle,
          .seed = static_cast<std::uint64_t>(training.seed),
          .window_size = window_size(config.data, std::ssize(corpus.examples)),
          .stages = std::move(stages),
          .temperature = config.data.temperature};
}

std::vector<BatchIndices> next_update_batches(Batcher& batcher, std::int64_t accum_count, int rank,
                                              int ranks) {
  std::vector<BatchIndices> share;
  for (std::int64_t i = 0; i < accum_count * ranks; ++i) {
    auto batch = batcher.next();
    if (i % ranks == rank) share.push_back(std::move(batch));
  }
  return share;
}

}  // namespace tfm
