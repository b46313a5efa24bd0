#include "text_parts.h"

#include <algorithm>

#include "tfm/markup/html_pieces.h"
#include "tfm/markup/markup.h"

namespace tfm {
namespace {

std::vector<TextPart> split_lines(std::string_view text) {
  std::vector<TextPart> parts;
  const auto add = [&](std::string_view part, bool is_line) {
    if (!part.empty()) parts.push_back({std::string(part), is_line});
  };
  while (!text.empty()) {
    const auto found = text.find('\n');
    const auto end = std::min(found, text.size());
    const bool has_return = found != text.npos && end > 0 && text[end - 1] == '\r';
    const auto length = end - (has_return ? 1 : 0);
    const auto next = found == text.npos ? end : end + 1;
    add(text.substr(0, length), true);
    add(text.substr(length, next - length), false);
    text.remove_prefix(next);
  }
  return parts;
}

}  // namespace

std::vector<TextPart> split_text(std::string_view text, TextFormat format) {
  if (format == TextFormat::text) return split_lines(text);
  std::vector<TextPart> parts;
  for (auto& piece : split_html(text)) parts.push_back({std::move(piece.text), piece.is_text});
  return parts;
}

std::string visible_text(const std::vector<TextPart>& parts, TextFormat format) {
  std::string text;
  for (const auto& part : parts) {
    if (format == TextFormat::text)
      text += part.text;
    else if (part.is_line)
      text += MarkedText(part.text).plain() + "\n";
  }
  return text;
}

std::vector<std::string> join_translations(const std::vector<TextPart>& parts,
                                           std::span<const LineTranslation> lines) {
  std::size_t count = 1;
  for (const auto& line : lines) count = std::max(count, line.candidates.size());
  std::vector<std::string> texts(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto line = lines.begin();
    for (const auto& part : parts) {
      texts[i] +=
          part.is_line ? line->candidates[std::min(i, line->candidates.size() - 1)] : part.text;
      if (part.is_line) ++line;
    }
  }
  return texts;
}

}  // namespace tfm
