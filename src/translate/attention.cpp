#include "tfm/translate/attention.h"

#include "tfm/model/batch.h"
#include "tfm/nn/evaluation_mode.h"

namespace tfm {

std::optional<EncodedPair> encode_pair(const TranslationModel& model, const std::string& source,
                                       const std::string& target) {
  const auto& config = model.config;
  EncodedPair pair{model.tokenizers.source->encode(source),
                   model.tokenizers.target->encode(target)};
  if (pair.source.empty() || pair.target.empty()) return std::nullopt;
  if (config.data.source_eos) pair.source.push_back(model.tokenizers.source->special().eos);
  const auto longest = static_cast<std::size_t>(config.data.resolved_max_length());
  if (pair.source.size() > longest || pair.target.size() + 1 > longest) return std::nullopt;
  return pair;
}

std::span<const TokenId> source_without_eos(const TranslationModel& model,
                                            const EncodedPair& pair) {
  return std::span(pair.source).first(pair.source.size() - (model.config.data.source_eos ? 1 : 0));
}

AttentionMaps compute_attention(TranslationModel& model, std::span<const EncodedPair> pairs) {
  const torch::InferenceMode inference;
  const EvalModeGuard evaluation(*model.network);
  const auto& target = model.tokenizers.target->special();
  std::vector<TokenIds> sources;
  std::vector<TokenIds> inputs;
  for (const auto& pair : pairs) {
    sources.push_back(pair.source);
    inputs.push_back({target.bos});
    inputs.back().insert(inputs.back().end(), pair.target.begin(), pair.target.end());
  }
  AttentionMaps maps;
  model.network->hidden(
      pad_sequences(sources, model.tokenizers.source->special().pad).to(model.device),
      pad_sequences(inputs, target.pad).to(model.device), &maps);
  return maps;
}

}  // namespace tfm
