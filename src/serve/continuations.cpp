#include "continuations.h"

#include <nlohmann/json.hpp>

#include "words_json.h"

namespace tfm {
namespace {

using Json = nlohmann::json;

}  // namespace

TranslateRequest read_continuations_request(const Json& fields, const ServeLimits& limits) {
  auto request = read_line_request(fields);
  auto& details = request.details;
  details.words = true;
  if (read_optional_text(fields, "prefix")) details.prefix = read_line(fields, "prefix");
  details.next_words =
      read_number(fields, "count", {.least = 1, .most = max_continuations}).value_or(5);
  check_characters({request.texts.front(), details.prefix}, limits);
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
