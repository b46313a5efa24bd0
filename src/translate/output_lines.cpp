#include "tfm/translate/output_lines.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tfm/text/line_breaks.h"

namespace tfm {
namespace {

/// Returns the object as JSON on a single line. Unicode line breaks in texts are escaped, and
/// invalid UTF-8 is replaced.
std::string json_line(const nlohmann::ordered_json& object) {
  return escape_line_breaks(
      object.dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace));
}

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

nlohmann::ordered_json alignment_json(const WordAlignment& alignment) {
  auto links = nlohmann::ordered_json::array();
  for (const auto& [source, target] : alignment)
    links.push_back(nlohmann::ordered_json::array({source, target}));
  return links;
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
    if (alignment) object["translations"].back()["alignment"] = alignment_json(candidate.alignment);
    if (!candidate.explanation.empty())
      object["translations"].back()["explanation"] = explanation_json(candidate);
  }
  return json_line(object);
}

std::string score_json(std::int64_t line, const PairScore& score, double value) {
  nlohmann::ordered_json object{{"line", line + 1}};
  if (score.too_long) {
    object.update({{"log_prob", nullptr}, {"score", nullptr}});  // JSON has no NaN
  } else {
    object.update({{"log_prob", score.log_prob},
                   {"score", value},
                   {"tokens", score.tokens},
                   {"log_probs", score.log_probs}});
  }
  return json_line(object);
}

}  // namespace tfm
