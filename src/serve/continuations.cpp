#include "continuations.h"

#include <nlohmann/json.hpp>

#include "words_json.h"

namespace tfm {
namespace {

using Json = nlohmann::json;

}  // namespace

TranslateRequest read_continuations_request(const Json& fields, const ServeLimits& limits) {
  TranslateRequest request;
  const auto& text = request.texts.emplace_back(read_line(fields, "q"));
  request.source = read_text(fields, "source");
  request.target = read_text(fields, "target");
  auto& details = request.details;
  details.words = true;
  if (read_optional_text(fields, "prefix")) details.prefix = read_line(fields, "prefix");
  details.next_words =
      read_number(fields, "count", {.least = 1, .most = max_continuations}).value_or(5);
  check_sizes({text, details.prefix}, limits);
  return request;
}

HttpReply continuations_reply(const TranslateRequest&,
                              const std::vector<TextTranslation>& translations) {
  auto list = Json::array();
  // A text that already is in the target language has no lines, and so no continuations.
  for (const auto& [source, line] : translations.front().lines) {
    for (std::size_t i = 0; i < line.candidates.size(); ++i)
      list.push_back({{"text", line.candidates[i]}, {"words", words_json(line.words[i])}});
  }
  return json_reply({{"continuations", std::move(list)}});
}

}  // namespace tfm
