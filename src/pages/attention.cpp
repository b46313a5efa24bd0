#include "tfm/pages/attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "attention_map.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

void check_weights(std::string_view kind, const AttentionWeights& weights, std::size_t rows,
                   std::size_t columns) {
  const auto size =
      static_cast<std::size_t>(weights.layers * weights.heads * weights.rows * weights.columns);
  if (weights.layers < 1 || weights.heads < 1 || static_cast<std::size_t>(weights.rows) != rows ||
      static_cast<std::size_t>(weights.columns) != columns || weights.values.size() != size) {
    throw std::invalid_argument(
        fmt::format("attention of the {}: shape [{}, {}, {}, {}] with {} values for {} row and {} "
                    "column tokens",
                    kind, weights.layers, weights.heads, weights.rows, weights.columns,
                    weights.values.size(), rows, columns));
  }
  if (!std::all_of(weights.values.begin(), weights.values.end(),
                   [](float weight) { return std::isfinite(weight); })) {
    throw ModelError(fmt::format("attention of the {}", kind),
                     "contains a weight that is not a finite number",
                     "The weights of the model are corrupt. Use another checkpoint.");
  }
}

bool is_within(const std::optional<std::int64_t>& index, std::int64_t count) {
  return !index || (*index >= 0 && *index < count);
}

}  // namespace

const AttentionWeights& SentenceAttention::weights(AttentionMapKind kind) const {
  if (kind == AttentionMapKind::encoder) return encoder;
  return kind == AttentionMapKind::decoder ? decoder : cross;
}

std::vector<float> attention_map(const AttentionWeights& weights,
                                 const AttentionSelection& selection) {
  const std::int64_t first_layer = selection.layer.value_or(0),
                     end_layer = selection.layer ? *selection.layer + 1 : weights.layers;
  const std::int64_t first_head = selection.head.value_or(0),
                     end_head = selection.head ? *selection.head + 1 : weights.heads;
  const auto maps = static_cast<double>((end_layer - first_layer) * (end_head - first_head));
  std::vector<float> map;
  map.reserve(static_cast<std::size_t>(weights.rows * weights.columns));
  for (std::int64_t row = 0; row < weights.rows; ++row) {
    for (std::int64_t column = 0; column < weights.columns; ++column) {
      double sum = 0;
      for (std::int64_t layer = first_layer; layer < end_layer; ++layer) {
        for (std::int64_t head = first_head; head < end_head; ++head)
          sum += weights.at(layer, head, row, column);
      }
      map.push_back(static_cast<float>(sum / maps));
    }
  }
  return map;
}

bool has_selection(const AttentionWeights& weights, const AttentionSelection& selection) {
  return is_within(selection.layer, weights.layers) && is_within(selection.head, weights.heads);
}

void check_selection(const SentenceAttention& sentence, const AttentionSelection& selection) {
  std::int64_t layers = 0, heads = 0;
  for (const AttentionMapKind kind : all_attention_kinds) {
    if (has_selection(sentence.weights(kind), selection)) return;
    layers = std::max(layers, sentence.weights(kind).layers);
    heads = std::max(heads, sentence.weights(kind).heads);
  }
  const auto name = [](const std::optional<std::int64_t>& index) {
    return index ? std::to_string(*index) : std::string("mean");
  };
  throw ConfigError(
      "attention",
      fmt::format("the model has no layer {} with head {} (counted from 0)", name(selection.layer),
                  name(selection.head)),
      fmt::format("Choose one of {} layers and {} heads, or the mean.", layers, heads));
}

void check_sentence(const SentenceAttention& sentence) {
  const std::size_t source = sentence.source.size(), target = sentence.target_input.size();
  if (sentence.target_output.size() != target) {
    throw std::invalid_argument(
        fmt::format("attention: {} target_input tokens and {} target_output tokens", target,
                    sentence.target_output.size()));
  }
  check_weights("encoder", sentence.encoder, source, source);
  check_weights("decoder", sentence.decoder, target, target);
  check_weights("decoder over the source", sentence.cross, target, source);
}

}  // namespace tfm
