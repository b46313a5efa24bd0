#include <algorithm>
#include <ranges>

#include "text_document.h"
#include "tfm/markup/html_pieces.h"
#include "tfm/markup/tags.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// A space at which a line can be split.
struct SplitPosition {
  std::size_t at = 0;       // byte offset
  std::size_t visible = 0;  // bytes before it that are not tags
};

/// Returns the spaces outside of tags, and the end of the text as the last entry.
std::vector<SplitPosition> split_positions(std::string_view text) {
  std::vector<SplitPosition> positions;
  std::size_t visible = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto tag = text[at] == '<' ? tag_at(text, at) : std::nullopt;
    if (text[at] == ' ') positions.push_back({at, visible});
    at += tag ? tag->length : 1;
    visible += tag ? 0 : 1;
  }
  positions.push_back({text.size(), visible});
  return positions;
}

/// Splits the text at spaces into `count` lines of similar length, or fewer if it has not enough
/// words.
std::string split_evenly(std::string text, std::size_t count, std::string_view line_break) {
  auto positions = split_positions(text);
  const auto size = positions.back().visible;
  positions.pop_back();
  std::vector<std::size_t> chosen;
  for (std::size_t i = 1; i < count && !positions.empty(); ++i) {
    const auto wanted = size * i / count;
    const auto distance = [&](const SplitPosition& position) {
      return std::max(position.visible, wanted) - std::min(position.visible, wanted);
    };
    const auto nearest = std::ranges::min_element(positions, {}, distance);
    chosen.push_back(nearest->at);
    positions.erase(positions.begin(), nearest + 1);
  }
  for (const auto at : chosen | std::views::reverse) text.replace(at, 1, line_break);
  return text;
}

class SubtitleReader {
 public:
  SubtitleReader(std::string_view text, bool is_vtt)
      : text_(text), is_vtt_(is_vtt), lines_(split_text_lines(text)) {}

  std::vector<TextSlot> read() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (!has_times(i)) continue;
      const auto first = i + 1;
      while (i + 1 < lines_.size() && !is_blank_line(i + 1) && !begins_cue(i + 1)) ++i;
      add_cue(first, i);
    }
    return std::move(slots_);
  }

 private:
  std::string_view line(std::size_t i) const { return line_text(text_, lines_[i]); }

  bool is_blank_line(std::size_t i) const { return trim(line(i)).empty(); }
  bool has_times(std::size_t i) const { return line(i).find("-->") != std::string_view::npos; }

  /// Returns true for the times of a cue, and for the number directly before them: not every
  /// program writes a blank line between cues.
  bool begins_cue(std::size_t i) const {
    if (has_times(i)) return true;
    const bool is_number = line(i).find_first_not_of("0123456789 \t") == std::string_view::npos;
    return is_number && i + 1 < lines_.size() && has_times(i + 1);
  }

  /// Returns the length of the dash, with the spaces after it, that begins what a speaker says.
  static std::size_t dash_length(std::string_view line) {
    for (const std::string_view dash : {"-", "–", "—"}) {
      if (!line.starts_with(dash)) continue;
      return std::min(line.find_first_not_of(' ', dash.size()), line.size());
    }
    return 0;
  }

  void add_cue(std::size_t first, std::size_t last) {
    if (first > last) return;
    bool is_dialogue = last > first;
    for (auto i = first; i <= last; ++i) is_dialogue = is_dialogue && dash_length(line(i)) > 0;
    if (!is_dialogue) return add(first, last, 0);
    for (auto i = first; i <= last; ++i) add(i, i, dash_length(line(i)));
  }

  void add(std::size_t first, std::size_t last, std::size_t skipped) {
    std::string joined;
    for (auto i = first; i <= last; ++i) (joined += i > first ? " " : "") += line(i);
    const auto begin = std::min(joined.find_first_not_of(whitespace, skipped), joined.size());
    const auto end = std::max(joined.find_last_not_of(whitespace) + 1, begin);
    const auto text = read_inline(std::string_view(joined).substr(begin, end - begin));
    if (!segment_has_letters(text.segment())) return;
    const std::string separator(line_break(text_, lines_[first]));
    auto slot = inline_slot(lines_[first].begin + begin, lines_[last].end - (joined.size() - end),
                            text, [is_vtt = is_vtt_](std::string_view plain) {
                              return is_vtt ? escape_html(plain) : std::string(plain);
                            });
    slot.write = [write = slot.write, count = last - first + 1, separator](auto translations) {
      return split_evenly(write(translations), count, separator);
    };
    slots_.push_back(std::move(slot));
  }

  /// Reads the text of a cue. Times within it (VTT: <00:12.000>) and positions (SRT: {\an8}) are
  /// objects.
  InlineText read_inline(std::string_view cue) const {
    InlineText text;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < cue.size();) {
      const auto length = object_length(cue.substr(at));
      if (length == 0) {
        ++at;
        continue;
      }
      text.add_tagged_text(cue.substr(begin, at - begin), is_vtt_);
      text.add_object(std::string(cue.substr(at, length)));
      at += length;
      begin = at;
    }
    text.add_tagged_text(cue.substr(begin), is_vtt_);
    return text;
  }

  std::size_t object_length(std::string_view rest) const {
    const bool is_time =
        is_vtt_ && rest.size() > 1 && rest[0] == '<' && rest[1] >= '0' && rest[1] <= '9';
    const bool is_position = !is_vtt_ && rest.starts_with("{\\");
    if (!is_time && !is_position) return 0;
    constexpr std::size_t longest = 64;
    const auto end = rest.substr(0, longest).find(is_time ? '>' : '}');
    return end == rest.npos ? 0 : end + 1;
  }

  std::string_view text_;
  bool is_vtt_;
  std::vector<TextLine> lines_;
  std::vector<TextSlot> slots_;
};

}  // namespace

std::vector<TextSlot> subtitle_slots(std::string_view text, bool is_vtt) {
  return SubtitleReader(text, is_vtt).read();
}

}  // namespace tfm
