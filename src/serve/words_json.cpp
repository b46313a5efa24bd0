#include "words_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tfm/text/words.h"

namespace tfm {
namespace {

using Json = nlohmann::json;

/// Returns a probability with four decimals, because more would only make replies longer.
double rounded(double probability) { return std::round(probability * 1e4) / 1e4; }

}  // namespace

Json words_json(const std::vector<AlignedWord>& words) {
  auto list = Json::array();
  for (const auto& word : words) {
    list.push_back({{"text", word.text},
                    {"probability", rounded(word.probability)},
                    {"source", word.source < 0 ? Json(nullptr) : Json(word.source)}});
  }
  return list;
}

Json words_json(const std::vector<TranslatedLine>& lines, std::size_t translations) {
  auto list = Json::array();
  for (const auto& [source, line] : lines) {
    auto candidates = Json::array();
    // As in a whole text, the last candidate stands for those that a line lacks.
    for (std::size_t i = 0; i < translations && !line.words.empty(); ++i)
      candidates.push_back(words_json(line.words[std::min(i, line.words.size() - 1)]));
    list.push_back({{"source", split_words(source)},
                    {"translations", std::move(candidates)},
                    {"segments", line.segments}});
  }
  return list;
}

}  // namespace tfm
