#include "attention_request.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace tfm {

TranslateRequest read_attention_request(const nlohmann::json& fields, const ServeLimits& limits) {
  auto request = read_line_request(fields);
  const auto& text = request.texts.front();
  const auto& translation = request.details.attention_target = read_line(fields, "translation");
  if (text.empty()) throw HttpError(400, "q is empty");
  if (translation.empty()) throw HttpError(400, "translation is empty");
  check_characters({text, translation}, limits);
  return request;
}

HttpReply attention_reply(const TranslateRequest&, std::vector<TextTranslation> translations) {
  auto& lines = translations.front().lines;
  if (lines.empty())
    return error_reply({404, "the text has no attention, because no model translates it"});
  return {.body = std::move(lines.front().translation.attention), .headers = {}};
}

}  // namespace tfm
