#include "attention_request.h"

#include <nlohmann/json.hpp>

namespace tfm {

TranslateRequest read_attention_request(const nlohmann::json& fields, const ServeLimits& limits) {
  TranslateRequest request;
  const auto& text = request.texts.emplace_back(read_line(fields, "q"));
  request.source = read_text(fields, "source");
  request.target = read_text(fields, "target");
  auto& details = request.details;
  details.attention_of = read_line(fields, "translation");
  if (details.attention_of.empty()) throw HttpError(400, "translation is empty");
  check_sizes({text, details.attention_of}, limits);
  return request;
}

HttpReply attention_reply(const TranslateRequest&,
                          const std::vector<TextTranslation>& translations) {
  const auto& lines = translations.front().lines;
  if (lines.empty())
    return error_reply({400, "the text has no attention, because no model translates it"});
  return {.body = lines.front().translation.attention, .headers = {}};
}

}  // namespace tfm
