#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "attention_document.h"
#include "attention_map.h"

namespace tfm {
namespace {

// JSON that keeps keys in the order of insertion and stores numbers as float, because floats are
// printed with about half as many digits as doubles.
using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                  std::int64_t, std::uint64_t, float>;

Json exact_row(std::span<const float> weights) {
  return std::vector<float>(weights.begin(), weights.end());
}

Json thousandths_row(std::span<const float> weights) {
  std::vector<std::int64_t> row;
  for (const float weight : weights) row.push_back(std::llround(weight * 1000.0));
  while (!row.empty() && row.back() == 0) row.pop_back();
  return row;
}

/// Returns the weights as nested arrays [layers][heads][rows][columns].
Json to_nested_arrays(const AttentionWeights& weights, WeightForm form) {
  const auto to_row = form == WeightForm::exact ? exact_row : thousandths_row;
  const std::span<const float> values(weights.values);
  Json layers = Json::array();
  for (std::int64_t layer = 0; layer < weights.layers; ++layer) {
    Json heads = Json::array();
    for (std::int64_t head = 0; head < weights.heads; ++head) {
      Json rows = Json::array();
      for (std::int64_t row = 0; row < weights.rows; ++row) {
        const auto begin = ((layer * weights.heads + head) * weights.rows + row) * weights.columns;
        rows.push_back(to_row(values.subspan(static_cast<std::size_t>(begin),
                                             static_cast<std::size_t>(weights.columns))));
      }
      heads.push_back(std::move(rows));
    }
    layers.push_back(std::move(heads));
  }
  return layers;
}

}  // namespace

std::string attention_document(const std::vector<SentenceAttention>& sentences, WeightForm form) {
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
                                     {"encoder", to_nested_arrays(sentence.encoder, form)},
                                     {"decoder", to_nested_arrays(sentence.decoder, form)},
                                     {"cross", to_nested_arrays(sentence.cross, form)}});
  }
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string attention_json(const std::vector<SentenceAttention>& sentences) {
  return attention_document(sentences, WeightForm::exact) + "\n";
}

}  // namespace tfm
