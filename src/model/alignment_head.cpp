#include "tfm/model/alignment_head.h"

#include <charconv>

#include "tfm/core/error.h"

namespace tfm {
namespace {

std::int64_t parse_index(std::string_view text, std::int64_t count, const char* what) {
  std::int64_t number = -1;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
  if (end == text.data() + text.size() && number >= 0 && number < count) return number;
  throw ConfigError("decoding.alignment_head",
                    "the decoder has no " + std::string(what) + " " + std::string(text),
                    "Count from 0; the last one is " + std::to_string(count - 1) + ".");
}

}  // namespace

AlignmentHead parse_alignment_head(std::string_view text, const ModelConfig& model) {
  AlignmentHead choice;
  if (text == "mean") return choice;
  const auto colon = text.find(':');
  choice.layer = parse_index(text.substr(0, colon), model.decoder_layers, "layer");
  if (colon != text.npos) choice.head = parse_index(text.substr(colon + 1), model.heads, "head");
  return choice;
}

std::string to_string(const AlignmentHead& head) {
  if (!head.layer) return "mean";
  std::string text = std::to_string(*head.layer);
  if (head.head) text.append(":").append(std::to_string(*head.head));
  return text;
}

}  // namespace tfm
