#include <algorithm>

#include "markdown_extensions.h"
#include "markdown_inline.h"
#include "markdown_lines.h"
#include "text_document.h"
#include "tfm/core/spelling.h"
#include "tfm/markup/tags.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

std::string escape_bars(std::string text) {
  for (auto at = text.find('|'); at != text.npos; at = text.find('|', at + 1)) {
    if (at == 0 || text[at - 1] != '\\') text.insert(at++, "\\");
  }
  return text;
}

/// Finds the blocks of a Markdown document, line by line. Front matter, code, definitions of links
/// and rules stay as they are.
class MarkdownReader {
 public:
  explicit MarkdownReader(std::string_view text) : text_(text), lines_(split_text_lines(text)) {}

  std::vector<TextSlot> read() {
    collect_labels();
    next_ = front_matter_end();
    while (next_ < lines_.size()) read_block();
    end_paragraph();
    return std::move(slots_);
  }

 private:
  std::string_view line(std::size_t i) const { return line_text(text_, lines_[i]); }
  /// Returns the text of a line without the marks before it, or an empty text after the last line.
  std::string_view content(std::size_t i) const {
    if (i >= lines_.size()) return {};
    return trim(line(i).substr(markdown_prefix(line(i)).length));
  }

  MarkdownDefinition definition(std::size_t i) const {
    const auto first = content(i);
    if (!first.starts_with('[')) return {};
    return markdown_definition(first, content(i + 1), content(i + 2));
  }

  void collect_labels() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (const auto found = definition(i); found.lines > 0) labels_.insert(to_lower(found.label));
    }
  }

  std::size_t front_matter_end() const {
    if (lines_.empty() || (line(0) != "---" && line(0) != "+++")) return 0;
    // A rule has a blank line below it, and front matter has none there (as in pandoc).
    if (lines_.size() > 1 && trim(line(1)).empty()) return 0;
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (line(i) == line(0) || (line(0) == "---" && line(i) == "...")) return i + 1;
    }
    return 0;
  }

  /// Returns the indentation from which text is code if no paragraph precedes it. In a list, it is
  /// larger than the standard says, because lists are often indented by more than they need.
  std::size_t code_indentation() const {
    return list_indentation_ == 0 ? 4 : std::max<std::size_t>(8, list_indentation_ + 4);
  }

  void read_block() {
    const auto i = next_++;
    const auto start = markdown_prefix(line(i));
    const auto text = content(i);
    if (start.has_mark) list_indentation_ = start.indentation;
    if (text.empty()) return end_paragraph();
    if (!start.has_mark && paragraph_.empty() && start.indentation == 0) list_indentation_ = 0;
    if (!start.has_mark && paragraph_.empty() && start.indentation >= code_indentation()) return;
    if (const auto marks = markdown_fence(text); !marks.empty())
      return skip_fence(marks, start.quotes);
    if (const auto kept = markdown_extension_lines(text_, std::span(lines_).subspan(i)); kept > 0) {
      next_ = i + kept;
      return end_paragraph();
    }
    if (const auto lines = definition(i).lines; lines > 0 || is_markdown_rule(text)) {
      next_ = std::min(i + std::max<std::size_t>(lines, 1), lines_.size());
      return end_paragraph();
    }
    if (text.front() == '#') return add_heading(i, start);
    if (text.front() == '<' && read_html(i, start)) return;
    if (is_table(i)) return read_table(i);
    if (start.has_mark || start.is_alert || start.quotes != paragraph_prefix_.quotes)
      end_paragraph();
    if (paragraph_.empty()) paragraph_prefix_ = start;
    paragraph_.push_back({lines_[i].begin + start.length, lines_[i].end, lines_[i].next});
    if (start.is_alert) end_paragraph();
  }

  /// Skips code, which ends at its marks or where the quote ends that it is in.
  void skip_fence(std::string_view marks, std::size_t quotes) {
    end_paragraph();
    for (; next_ < lines_.size(); ++next_) {
      const auto start = markdown_prefix(line(next_));
      if (start.quotes < quotes) return;
      const auto text = content(next_);
      if (start.quotes == quotes && !start.has_mark && text.starts_with(marks) &&
          text.find_first_not_of(marks.front()) == text.npos)
        break;
    }
    next_ = std::min(next_ + 1, lines_.size());
  }

  void add_heading(std::size_t i, const MarkdownPrefix& start) {
    end_paragraph();
    const auto text = line(i);
    auto begin = text.find_first_not_of('#', start.length);
    if (begin == text.npos) return;
    begin = std::min(text.find_first_not_of(" \t", begin), text.size());
    auto end = text.find_last_not_of(" \t#") + 1;
    if (end < text.size() && end > begin && text[end] == '#') end = text.find_last_not_of('#') + 1;
    add_text({lines_[i].begin + begin, lines_[i].begin + std::max(end, begin), 0}, false);
  }

  /// Reads a block of HTML, which ends at a blank line. Returns false if the line only begins with
  /// a tag of running text.
  bool read_html(std::size_t i, const MarkdownPrefix& start) {
    if (!paragraph_.empty()) return false;
    const auto begin = lines_[i].begin + start.length;
    const auto tag = tag_at(text_, begin);
    const bool is_block =
        tag && (tag->name.empty() || separates_words(tag->name) || tag->name == "script" ||
                tag->name == "style" || tag->name == "svg" || tag->name == "math");
    if (!is_block || tag->name == "br" || tag->name == "button") return false;
    const bool has_blank_lines =
        tag->name == "script" || tag->name == "style" || tag->name == "pre";
    const auto end_tag =
        has_blank_lines ? text_.find("</" + tag->name, begin) : begin + tag->length;
    while (next_ < lines_.size() && (!trim(line(next_)).empty() || lines_[next_].begin < end_tag))
      ++next_;
    const auto end = lines_[next_ - 1].end;
    for (auto& slot : html_slots(text_.substr(begin, end - begin))) {
      slot.begin += begin;
      slot.end += begin;
      slots_.push_back(std::move(slot));
    }
    return true;
  }

  bool is_table(std::size_t i) const {
    if (!paragraph_.empty() || i + 1 >= lines_.size()) return false;
    const auto rule = trim(line(i + 1));
    return line(i).find('|') != std::string_view::npos && rule.find('-') != rule.npos &&
           rule.find('|') != rule.npos && rule.find_first_not_of("|-: \t>") == rule.npos;
  }

  void read_table(std::size_t i) {
    add_cells(i);
    for (++next_; next_ < lines_.size() && line(next_).find('|') != std::string_view::npos; ++next_)
      add_cells(next_);
  }

  void add_cells(std::size_t i) {
    const auto row = line(i);
    std::size_t begin = markdown_prefix(row).length;
    for (auto at = begin; at <= row.size(); ++at) {
      const bool is_bar = at < row.size() && row[at] == '|' && (at == 0 || row[at - 1] != '\\');
      if (!is_bar && at < row.size()) continue;
      add_text({lines_[i].begin + begin, lines_[i].begin + at, 0}, true);
      begin = at + 1;
    }
  }

  /// Adds a range of a line without the white space at its ends.
  void add_text(TextLine range, bool is_cell) {
    const auto text = text_.substr(range.begin, range.end - range.begin);
    const auto content = trim(text);
    if (content.empty()) return;
    const auto begin = range.begin + static_cast<std::size_t>(content.data() - text.data());
    add_slot(begin, begin + content.size(), content, is_cell);
  }

  /// Adds a text with line feeds where the document has `breaks`.
  void add_slot(std::size_t begin, std::size_t end, std::string_view content, bool is_cell,
                std::vector<std::string> breaks = {}) {
    auto parts = read_markdown(content, labels_);
    TextSlot slot{begin, end};
    for (const auto& part : parts) {
      if (segment_has_letters(part.text.segment())) slot.segments.push_back(part.text.segment());
    }
    if (slot.segments.empty()) return;
    slot.write = [parts = std::move(parts), breaks = std::move(breaks),
                  is_cell](std::span<const std::string> translations) {
      std::string written;
      for (const auto& part : parts) {
        auto text = part.text.segment();
        if (segment_has_letters(text)) {
          text = translations.front();
          translations = translations.subspan(1);
        }
        if (part.breaks > 0) written += breaks.at(part.breaks - 1);
        text = part.text.restore(text, spell_markdown);
        written += is_cell ? escape_bars(text) : escape_block_start(text);
      }
      return written;
    };
    slots_.push_back(std::move(slot));
  }

  void end_paragraph() {
    if (paragraph_.empty()) return;
    std::string content;
    std::vector<std::string> breaks;
    std::size_t end = 0;
    bool is_hard = false;
    for (const auto& part : paragraph_) {
      if (is_hard) breaks.emplace_back(text_.substr(end, part.begin - end));
      if (!content.empty()) content += is_hard ? '\n' : ' ';
      const auto whole = text_.substr(part.begin, part.end - part.begin);
      auto text = trim(whole);
      const bool has_backslash = text.ends_with('\\');
      is_hard = has_backslash || whole.ends_with("  ");
      text.remove_suffix(has_backslash ? 1 : 0);
      end = part.begin + text.size();
      content += text;
    }
    add_slot(paragraph_.front().begin, end, content, false, std::move(breaks));
    paragraph_.clear();
  }

  std::string_view text_;
  std::vector<TextLine> lines_;
  std::size_t next_ = 0;
  std::set<std::string, std::less<>> labels_;
  std::vector<TextLine> paragraph_;  // the content of its lines so far
  MarkdownPrefix paragraph_prefix_;
  std::size_t list_indentation_ = 0;  // of the text of the last item; 0 outside of lists
  std::vector<TextSlot> slots_;
};

}  // namespace

std::vector<TextSlot> markdown_slots(std::string_view text) { return MarkdownReader(text).read(); }

}  // namespace tfm
