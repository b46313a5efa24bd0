#include <cmath>
#include <nlohmann/json.hpp>

#include "attention_document.h"
#include "attention_map.h"

namespace tfm {
namespace {

// JSON that keeps keys in the order of insertion and stores numbers as float, because floats are
// printed with about half as many digits as doubles.
using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                  std::int64_t, std::uint64_t, float>;

/// Returns the weights as nested arrays [layers][heads][rows][columns]. `scale` is 10^decimals, or
/// 0 for no rounding.
Json to_nested_arrays(const AttentionWeights& weights, double scale) {
  Json layers = Json::array();
  for (std::int64_t layer = 0; layer < weights.layers; ++layer) {
    Json heads = Json::array();
    for (std::int64_t head = 0; head < weights.heads; ++head) {
      Json rows = Json::array();
      for (std::int64_t row = 0; row < weights.rows; ++row) {
        Json columns = Json::array();
        for (std::int64_t column = 0; column < weights.columns; ++column) {
          const float weight = weights.at(layer, head, row, column);
          columns.push_back(scale == 0 ? weight
                                       : static_cast<float>(std::round(weight * scale) / scale));
        }
        rows.push_back(std::move(columns));
      }
      heads.push_back(std::move(rows));
    }
    layers.push_back(std::move(heads));
  }
  return layers;
}

}  // namespace

std::string attention_document(const std::vector<SentenceAttention>& sentences,
                               std::optional<int> decimals) {
  const double scale = decimals ? std::pow(10.0, *decimals) : 0;
  Json document = {
      {"format", "tfm attention"},
      {"version", 1},
      {"shapes",
       {{"encoder", "[L, H, S, S]"}, {"decoder", "[L, H, T, T]"}, {"cross", "[L, H, T, S]"}}},
      {"sentences", Json::array()}};
  for (const SentenceAttention& sentence : sentences) {
    check_sentence(sentence);
    document["sentences"].push_back({{"source_text", sentence.source_text},
                                     {"target_text", sentence.target_text},
                                     {"source", sentence.source},
                                     {"target_input", sentence.target_input},
                                     {"target_output", sentence.target_output},
                                     {"encoder", to_nested_arrays(sentence.encoder, scale)},
                                     {"decoder", to_nested_arrays(sentence.decoder, scale)},
                                     {"cross", to_nested_arrays(sentence.cross, scale)}});
  }
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string attention_json(const std::vector<SentenceAttention>& sentences) {
  return attention_document(sentences, std::nullopt) + "\n";
}

}  // namespace tfm
