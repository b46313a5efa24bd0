#include "attention_maps.h"

#include "tfm/model/batch.h"
#include "tfm/nn/evaluation_mode.h"

namespace tfm {

AttentionMaps compute_attention(TranslationModel& model, std::span<const EncodedPair> pairs) {
  const torch::InferenceMode inference;
  const EvalModeGuard evaluation(*model.network);
  const auto& target = model.tokenizers.target->special();
  std::vector<TokenIds> sources;
  std::vector<TokenIds> inputs;
  for (const auto& pair : pairs) {
    sources.push_back(pair.source.ids);
    inputs.push_back(decoder_input(pair, target.bos));
  }
  AttentionMaps maps;
  model.network->hidden(
      pad_sequences(sources, model.tokenizers.source->special().pad).to(model.device),
      pad_sequences(inputs, target.pad).to(model.device), &maps);
  return maps;
}

}  // namespace tfm
