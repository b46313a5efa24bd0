#include <algorithm>
#include <optional>

#include "text_document.h"
#include "tfm/text/words.h"
#include "yaml_events.h"
#include "yaml_spelling.h"

namespace tfm {
namespace {

class YamlReader {
 public:
  YamlReader(const std::string& name, std::string_view text) : name_(name), text_(text) {}

  std::vector<TextSlot> read() {
    for (const auto& scalar : read_yaml_values(name_, text_)) add(scalar);
    return std::move(slots_);
  }

 private:
  void add(const YamlScalar& scalar) {
    const auto at = skip_properties(scalar.at);
    if (at >= text_.size() || !is_text_value(scalar.value)) return;
    if (!slots_.empty() && at < slots_.back().end) return;
    const char first = text_[at];
    if (first == '|' || first == '>') return add_block(at, first == '>', scalar.value);
    if (first == '"') return add_value(scalar, at, quoted_end(at, '"'), spell_double_quoted);
    if (first == '\'') return add_value(scalar, at, quoted_end(at, '\''), spell_single_quoted);
    if (is_plain_constant(scalar.value)) return;
    const auto end = plain_end(at, scalar.value);
    if (end == text_.npos) return;
    add_value(scalar, at, end, [in_flow = scalar.in_flow](std::string_view value) {
      return spell_plain(value, in_flow);
    });
  }

  void add_value(const YamlScalar& scalar, std::size_t begin, std::size_t end,
                 const SpellText& spell) {
    StringValue value(scalar.value);
    slots_.push_back({begin, end, value.segments(), [value, spell](auto translations) {
                        return spell(value.join(translations));
                      }});
  }

  /// Returns the position after the tag and the anchor of a node.
  std::size_t skip_properties(std::size_t at) const {
    while (at < text_.size() && (text_[at] == '!' || text_[at] == '&'))
      at = text_.find_first_not_of(whitespace, text_.find_first_of(whitespace, at));
    return at;
  }

  std::size_t quoted_end(std::size_t at, char quote) const {
    for (++at; at < text_.size(); ++at) {
      const bool is_pair = quote == '\'' && text_.substr(at).starts_with("''");
      if (text_[at] == quote && !is_pair) break;
      if (is_pair || (quote == '"' && text_[at] == '\\')) ++at;
    }
    return std::min(at + 1, text_.size());
  }

  /// Returns the end of a plain scalar, whose lines are joined in `value`, or npos if it is spelled
  /// in another way.
  std::size_t plain_end(std::size_t at, std::string_view value) const {
    for (std::size_t i = 0; i < value.size();) {
      if (at >= text_.size()) return text_.npos;
      if (value[i] == text_[at] && text_[at] != '\n') {
        ++i, ++at;
        continue;
      }
      const auto next = text_.find_first_not_of(whitespace, at);
      const auto next_in_value = value.find_first_not_of(" \n", i);
      if (next == at || next == text_.npos || next_in_value == i || next_in_value == value.npos)
        return text_.npos;
      at = next;
      i = next_in_value;
    }
    return at;
  }

  std::size_t indentation(const TextLine& line) const {
    return text_.find_first_not_of(' ', line.begin) - line.begin;
  }

  /// Adds the lines of a block scalar. Those of a folded one are joined, except for lines that are
  /// indented more than the block.
  void add_block(std::size_t at, bool is_folded, std::string_view value) {
    const auto own_spaces = std::min(value.find_first_not_of(" \n"), value.size()) -
                            (value.substr(0, value.find_first_not_of(" \n")).rfind('\n') + 1);
    const auto header_end = std::min(text_.find('\n', at), text_.size());
    const auto begin = std::min(header_end + 1, text_.size());
    std::optional<std::size_t> block;
    std::vector<TextLine> joined;
    const auto flush = [&] {
      if (!joined.empty()) add_lines(joined);
      joined.clear();
    };
    TextLine line{begin, begin, begin};
    while (line.next < text_.size()) {
      line.begin = line.next;
      line.end = std::min(text_.find_first_of("\r\n", line.begin), text_.size());
      line.next = std::min(text_.find('\n', line.end), text_.size() - 1) + 1;
      const auto content = text_.substr(line.begin, line.end - line.begin);
      if (content.find_first_not_of(whitespace) == content.npos) {
        flush();
        continue;
      }
      const auto indent = indentation(line);
      if (!block) block = indent - std::min(indent, own_spaces);
      if (indent < *block) break;
      const bool stays = !is_folded || whitespace.find(content[*block]) != whitespace.npos;
      if (stays) flush();
      joined.push_back(line);
      if (stays) flush();
    }
    flush();
  }

  void add_lines(const std::vector<TextLine>& lines) {
    std::string joined;
    std::size_t begin = lines.front().begin + indentation(lines.front());
    std::size_t end = begin;
    for (const auto& line : lines) {
      const auto first = line.begin + indentation(line);
      const auto last = text_.find_last_not_of(whitespace, line.end - 1) + 1;
      (joined += joined.empty() ? "" : " ") += text_.substr(first, last - first);
      end = last;
    }
    StringValue value(joined);
    if (!is_text_value(joined)) return;
    slots_.push_back({begin, end, value.segments(),
                      [value](auto translations) { return value.join(translations); }});
  }

  const std::string& name_;
  std::string_view text_;
  std::vector<TextSlot> slots_;
};

}  // namespace

std::vector<TextSlot> yaml_slots(const std::string& name, std::string_view text) {
  return YamlReader(name, text).read();
}

}  // namespace tfm
