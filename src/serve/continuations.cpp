#include "continuations.h"

#include <nlohmann/json.hpp>

#include "words_json.h"

namespace tfm {
namespace {

using Json = nlohmann::json;

void check_is_line(const std::string& text, const std::string& name) {
  if (text.find_first_of("\r\n") != text.npos)
    throw HttpError(400, name + " has several lines; send one line");
}

}  // namespace

TranslateRequest read_continuations_request(const Json& fields, const ServeLimits& limits) {
  TranslateRequest request;
  const auto& text = request.texts.emplace_back(read_text(fields, "q"));
  request.source = read_text(fields, "source");
  request.target = read_text(fields, "target");
  auto& details = request.details;
  details.words = true;
  details.prefix = read_optional_text(fields, "prefix").value_or("");
  details.next_words =
      read_number(fields, "count", {.least = 1, .most = max_continuations}).value_or(5);
  check_is_line(text, "q");
  check_is_line(details.prefix, "prefix");
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
