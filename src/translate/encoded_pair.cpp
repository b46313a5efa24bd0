#include "tfm/translate/encoded_pair.h"

#include "tfm/model/model_folder.h"

namespace tfm {

std::optional<EncodedPair> encode_pair(const TranslationModel& model, const std::string& source,
                                       const std::string& target, const SentenceFrame& frame) {
  auto text = model.tokenizers.source->encode(source);
  auto translation = model.tokenizers.target->encode(target);
  if (text.empty() || translation.empty()) return std::nullopt;
  EncodedPair pair{frame.add_to(std::move(text)), std::move(translation), frame.target_tag()};
  const auto longest = model.config.data.resolved_max_length();
  if (std::ssize(pair.source.ids) > longest ||
      std::ssize(pair.target) + frame.target_tokens() > longest)
    return std::nullopt;
  return pair;
}

std::optional<EncodedPair> encode_pair(const TranslationModel& model, const std::string& source,
                                       const std::string& target) {
  return encode_pair(model, source, target, SentenceFrame(model, model.config.decoding));
}

std::span<const TokenId> source_text(const EncodedPair& pair) {
  const auto& source = pair.source;
  return std::span(source.ids).subspan(source.text_begin, source.text_end - source.text_begin);
}

TokenIds decoder_input(const EncodedPair& pair, TokenId bos) {
  TokenIds input{bos};
  if (pair.target_tag) input.push_back(*pair.target_tag);
  input.insert(input.end(), pair.target.begin(), pair.target.end());
  return input;
}

}  // namespace tfm
