#include "tfm/model/token_log_probs.h"

#include <algorithm>

#include "tfm/tensor/log_sum_exp.h"

namespace tfm {
ForcedBatch make_forced_batch(const Corpus& corpus, std::span<const std::int64_t> indices,
                              const TokenizerPair& tokenizers) {
  const CollateOptions format{.source = tokenizers.source->special(),
                              .target = tokenizers.target->special()};
  const auto batch = collate(corpus, indices, format);
  const auto width = batch.target_output.size(1);
  std::vector<std::int64_t> places;
  for (std::size_t row = 0; row < indices.size(); ++row) {
    const auto length = corpus.examples.lengths(static_cast<std::size_t>(indices[row])).target + 1;
    for (std::int64_t i = 0; i < length; ++i)
      places.push_back(static_cast<std::int64_t>(row) * width + i);
  }
  auto source = batch.source;
  if (source.size(1) == 0)
    source = torch::full({source.size(0), 1}, static_cast<std::int64_t>(format.source.pad),
                         torch::kInt64);
  const auto place = torch::tensor(places, torch::kInt64);
  return {source, batch.target_input, place, batch.target_output.flatten().index_select(0, place)};
}

torch::Tensor token_log_probs(TranslationModel& model, const ForcedBatch& batch,
                              const ForwardContext& context) {
  constexpr std::int64_t logits_at_once = std::int64_t{1} << 23;
  const auto hidden = model.network->hidden(
      batch.source.to(model.device), batch.target_input.to(model.device), nullptr, {}, context);
  const auto rows = hidden.flatten(0, 1).index_select(0, batch.places.to(model.device));  // [N, D]
  const std::int64_t rows_at_once =
      std::max<std::int64_t>(1, logits_at_once / model.tokenizers.target->size());
  std::vector<torch::Tensor> found;
  for (std::int64_t begin = 0; begin < rows.size(0); begin += rows_at_once) {
    const std::int64_t end = std::min(rows.size(0), begin + rows_at_once);
    const auto logits = model.network->project(rows.slice(0, begin, end), context);
    found.push_back(select_log_probs(logits, batch.targets.slice(0, begin, end)));
  }
  return torch::cat(found);
}

}  // namespace tfm
