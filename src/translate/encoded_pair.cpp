#include "tfm/translate/encoded_pair.h"

#include "tfm/model/model_folder.h"
#include "tfm/tokenizer/required_piece.h"

namespace tfm {

std::optional<EncodedPair> encode_pair(const TranslationModel& model, const std::string& source,
                                       const std::string& target, const std::string& tag) {
  const auto& config = model.config;
  EncodedPair pair{model.tokenizers.source->encode(source),
                   model.tokenizers.target->encode(target)};
  if (pair.source.empty() || pair.target.empty()) return std::nullopt;
  if (const auto id = require_piece(*model.tokenizers.source, tag, source_tag_field))
    pair.source.insert(pair.source.begin(), *id);
  if (config.data.source_eos) pair.source.push_back(model.tokenizers.source->special().eos);
  const auto longest = static_cast<std::size_t>(config.data.resolved_max_length());
  if (pair.source.size() > longest || pair.target.size() + 1 > longest) return std::nullopt;
  return pair;
}

std::span<const TokenId> source_without_eos(const TranslationModel& model,
                                            const EncodedPair& pair) {
  return std::span(pair.source).first(pair.source.size() - (model.config.data.source_eos ? 1 : 0));
}

}  // namespace tfm
