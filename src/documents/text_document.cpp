#include "text_document.h"

#include <algorithm>

#include "tfm/text/words.h"

namespace tfm {
namespace {

std::vector<std::string> slot_segments(const std::vector<TextSlot>& slots) {
  std::vector<std::string> segments;
  for (const auto& slot : slots)
    segments.insert(segments.end(), slot.segments.begin(), slot.segments.end());
  return segments;
}

}  // namespace

TextDocument::TextDocument(std::string bytes, std::vector<TextSlot> slots)
    : Document(slot_segments(slots)), bytes_(std::move(bytes)), slots_(std::move(slots)) {}

std::string TextDocument::with_translations(std::span<const std::string> translations) const {
  std::string text;
  std::size_t done = 0;
  for (const auto& slot : slots_) {
    const auto own = translations.first(slot.segments.size());
    translations = translations.subspan(slot.segments.size());
    if (!slot.always && std::ranges::equal(own, slot.segments)) continue;
    text.append(bytes_, done, slot.begin - done);
    text += slot.write(own);
    done = slot.end;
  }
  return text.append(bytes_, done);
}

TextSlot inline_slot(std::size_t begin, std::size_t end, InlineText text, SpellText spell) {
  auto segment = text.segment();
  return {begin,
          end,
          {std::move(segment)},
          [text = std::move(text), spell = std::move(spell)](auto translations) {
            return text.restore(translations.front(), spell);
          }};
}

StringValue::StringValue(std::string_view value) {
  const auto add_between = [&](std::string_view text) {
    if (parts_.empty() || parts_.back().is_line) parts_.emplace_back();
    parts_.back().text += text;
  };
  for (const auto& line : split_text_lines(value)) {
    auto text = line_text(value, line);
    if (has_letters(text)) {
      const auto content = trim(text);
      const auto first = static_cast<std::size_t>(content.data() - text.data());
      add_between(text.substr(0, first));
      auto& part = parts_.emplace_back();
      part.is_line = true;
      part.line.add_tagged_text(content, false);
      segments_.push_back(part.line.segment());
      text = text.substr(first + content.size());
    }
    add_between(text);
    add_between(line_break(value, line));
  }
}

std::string StringValue::join(std::span<const std::string> translations) const {
  std::string value;
  std::size_t next = 0;
  for (const auto& part : parts_) {
    value += part.text;
    if (part.is_line)
      value += part.line.restore(translations[next++],
                                 [](std::string_view plain) { return std::string(plain); });
  }
  return value;
}

bool is_text_value(std::string_view value) {
  if (!has_letters(value)) return false;
  if (value.find_first_of(whitespace) != value.npos) return true;
  const auto at = value.find('@');
  const bool is_mail = at != value.npos && at > 0 && value.find('.', at) != value.npos;
  return !is_mail && value.find("://") == value.npos && !value.starts_with("www.");
}

std::vector<TextLine> split_text_lines(std::string_view text) {
  std::vector<TextLine> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find_first_of("\r\n", begin), text.size());
    const bool is_pair = text.substr(end).starts_with("\r\n");
    const auto next = std::min(end + (is_pair ? 2 : 1), text.size());
    lines.push_back({begin, end, next});
    begin = next;
  }
  return lines;
}

std::string text_place(const std::string& name, std::string_view text, std::size_t offset) {
  const auto lines = split_text_lines(text.substr(0, offset));
  const bool ended = !lines.empty() && lines.back().next > lines.back().end;
  return name + ":" + std::to_string(std::max<std::size_t>(lines.size() + (ended ? 1 : 0), 1));
}

}  // namespace tfm
