#include "tfm/translate/batch_limit.h"

#include <algorithm>
#include <optional>

#include "tfm/core/log.h"
#include "tfm/tensor/device.h"

namespace tfm {
namespace {

constexpr std::int64_t cpu_tokens = 4096;
constexpr std::int64_t most_tokens = 16 * cpu_tokens;
constexpr std::int64_t tokens_per_sentence = 32;

BatchLimit limit_of_tokens(BatchType type, std::int64_t tokens) {
  return {type, type == BatchType::tokens ? tokens : tokens / tokens_per_sentence};
}

}  // namespace

BatchLimit batch_limit(const DecodingConfig& decoding) {
  if (decoding.batch_size != DecodingConfig::automatic_batch_size)
    return {decoding.batch_type, decoding.batch_size};
  return limit_of_tokens(decoding.batch_type, cpu_tokens);
}

BatchLimit batch_limit(const DecodingConfig& decoding,
                       const std::vector<TranslationModel*>& models) {
  const bool automatic = decoding.batch_size == DecodingConfig::automatic_batch_size;
  const auto free = automatic ? free_device_memory(models.front()->device) : std::nullopt;
  if (!free) return batch_limit(decoding);
  double bytes = 0;
  for (const TranslationModel* model : models)
    bytes += decoding_bytes_per_token(model->config.model, vocab_sizes(model->tokenizers).target,
                                      decoding.beam_size);
  const auto limit = limit_of_tokens(decoding.batch_type, tokens_for_memory(*free, bytes));
  log_debug("decoding.batch_size: {} {}", limit.size,
            limit.type == BatchType::tokens ? "tokens" : "sentences");
  return limit;
}

double decoding_bytes_per_token(const ModelConfig& model, std::int64_t vocab_size,
                                std::int64_t rows) {
  constexpr double number = sizeof(float);
  constexpr double shortest_sentence = 16;  // tokens per row of logits
  const auto inner = static_cast<double>(model.heads * model.resolved_head_size());
  const auto width = static_cast<double>(model.hidden_size);
  const auto hypotheses = static_cast<double>(rows);
  const double encoder = 4 * width + 3 * inner + static_cast<double>(model.transformer_ff);
  const double key_values = 2 * inner * static_cast<double>(model.decoder_layers);
  // A search copies the keys and values of its rows when it selects rows.
  const double cache = key_values + 2 * hypotheses * key_values;
  // logits, log-probabilities and what top-k needs
  const double output = 3 * hypotheses * static_cast<double>(vocab_size) / shortest_sentence;
  return number * (encoder + cache + output);
}

std::int64_t tokens_for_memory(double free_bytes, double bytes_per_token) {
  const double tokens = free_bytes / 2 / bytes_per_token;
  return std::max(cpu_tokens,
                  static_cast<std::int64_t>(std::min(tokens, static_cast<double>(most_tokens))));
}

}  // namespace tfm
