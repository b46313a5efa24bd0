#include "tfm/translate/attention.h"

#include "tfm/data/batch.h"
#include "tfm/nn/evaluation_mode.h"

namespace tfm {

std::optional<TokenPair> encode_pair(const TranslationModel& model, const std::string& source,
                                     const std::string& target) {
  const auto& config = model.config;
  TokenPair pair{model.tokenizers.source->encode(source), model.tokenizers.target->encode(target)};
  if (pair.source.empty() || pair.target.empty()) return std::nullopt;
  if (config.data.source_eos) pair.source.push_back(model.tokenizers.source->special().eos);
  const auto longest = static_cast<std::size_t>(config.data.resolved_max_length());
  if (pair.source.size() > longest || pair.target.size() + 1 > longest) return std::nullopt;
  return pair;
}

std::span<const TokenId> source_text_of(const TranslationModel& model, const TokenPair& pair) {
  return std::span(pair.source).first(pair.source.size() - (model.config.data.source_eos ? 1 : 0));
}

AttentionMaps attention_of(TranslationModel& model, std::span<const TokenPair> pairs) {
  const torch::InferenceMode inference;
  const EvaluationMode evaluation(*model.network);
  const auto& target = model.tokenizers.target->special();
  std::vector<TokenIds> sources;
  std::vector<TokenIds> inputs;
  for (const auto& pair : pairs) {
    sources.push_back(pair.source);
    inputs.push_back({target.bos});
    inputs.back().insert(inputs.back().end(), pair.target.begin(), pair.target.end());
  }
  AttentionMaps maps;
  model.network->hidden(pad_rows(sources, model.tokenizers.source->special().pad).to(model.device),
                        pad_rows(inputs, target.pad).to(model.device), &maps);
  return maps;
}

}  // namespace tfm
