#include "translation_format.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "json_line.h"

namespace tfm {
namespace {

nlohmann::ordered_json explanation_json(const Candidate& candidate) {
  auto tokens = nlohmann::ordered_json::array();
  for (const auto& token : candidate.explanation) {
    auto alternatives = nlohmann::ordered_json::array();
    for (const auto& [piece, log_prob] : token.alternatives)
      alternatives.push_back({{"token", piece}, {"log_prob", log_prob}});
    tokens.push_back(
        {{"token", token.piece}, {"log_prob", token.log_prob}, {"alternatives", alternatives}});
  }
  return tokens;
}

}  // namespace

std::string text_line(const Candidate& candidate, bool alignment) {
  return alignment ? candidate.text + " ||| " + format_pharaoh(candidate.alignment)
                   : candidate.text;
}

std::string marian_line(std::int64_t line, const Candidate& candidate, bool alignment) {
  return fmt::format("{} ||| {} ||| F0= {:.6g} ||| {:.6g}", line, text_line(candidate, alignment),
                     candidate.log_prob, candidate.score);
}

std::string translation_json(std::int64_t line, const std::string& source,
                             const Translation& translation, bool alignment) {
  nlohmann::ordered_json object = {
      {"line", line + 1}, {"source", source}, {"translations", nlohmann::ordered_json::array()}};
  for (const auto& candidate : translation.candidates) {
    object["translations"].push_back({{"text", candidate.text},
                                      {"score", candidate.score},
                                      {"log_prob", candidate.log_prob},
                                      {"tokens", candidate.tokens}});
    if (alignment) object["translations"].back()["alignment"] = format_pharaoh(candidate.alignment);
    if (!candidate.explanation.empty())
      object["translations"].back()["explanation"] = explanation_json(candidate);
  }
  return json_line(object);
}

}  // namespace tfm
