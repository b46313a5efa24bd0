#include <algorithm>

#include "markdown_extensions.h"
#include "markdown_inline.h"
#include "text_document.h"
#include "tfm/core/spelling.h"
#include "tfm/markup/tags.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

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
  static std::string_view trim(std::string_view text) {
    const auto first = std::min(text.find_first_not_of(whitespace), text.size());
    return text.substr(first, text.find_last_not_of(whitespace) + 1 - first);
  }

  /// Returns the label of a definition ("[label]: target"), or an empty text.
  static std::string_view definition(std::string_view line) {
    line = trim(line);
    const auto end = line.find("]:");
    if (!line.starts_with('[') || line.starts_with("[^") || end == line.npos) return {};
    return line.substr(1, end - 1);
  }

  void collect_labels() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (const auto label = definition(line(i)); !label.empty()) labels_.insert(to_lower(label));
    }
  }

  std::size_t front_matter_end() const {
    if (lines_.empty() || (line(0) != "---" && line(0) != "+++")) return 0;
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (line(i) == line(0)) return i + 1;
    }
    return 0;
  }

  /// The prefix of a line: the marks of quotes and lists.
  struct Prefix {
    std::size_t length = 0;
    bool has_mark = false;        // of a list
    std::size_t quotes = 0;       // nested
    std::size_t indentation = 0;  // of the text, after the last mark
  };

  static std::size_t list_mark_length(std::string_view rest) {
    const auto digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    std::size_t length = 0;
    if (digits > 0 && digits < 10 && digits < rest.size() &&
        (rest[digits] == '.' || rest[digits] == ')')) {
      length = digits + 1;
    } else if (!rest.empty() && std::string_view("-*+").find(rest.front()) != rest.npos) {
      length = 1;
    }
    if (length == 0 || (length < rest.size() && rest[length] != ' ' && rest[length] != '\t'))
      return 0;
    const auto text = std::min(rest.find_first_not_of(" \t", length), rest.size());
    const auto box = rest.substr(text, 4);
    const bool has_box = box == "[ ] " || box == "[x] " || box == "[X] ";
    return text + (has_box ? 4 : 0);
  }

  static Prefix prefix(std::string_view line) {
    Prefix found;
    for (;;) {
      const auto text = std::min(line.find_first_not_of(" \t", found.length), line.size());
      found.indentation = text - found.length;
      if (text < line.size() && line[text] == '>') {
        ++found.quotes;
        found.length = text + 1;
      } else if (const auto mark =
                     is_rule(line.substr(text)) ? 0 : list_mark_length(line.substr(text));
                 mark > 0) {
        found.has_mark = true;
        found.length = text + mark;
      } else {
        found.length = text;
        return found;
      }
    }
  }

  /// Returns true for a line of at least three -, _ or *, and for the underline of a heading.
  static bool is_rule(std::string_view text) {
    text = trim(text);
    if (text.empty() || std::string_view("-_*=").find(text.front()) == text.npos) return false;
    const bool is_uniform = text.find_first_not_of(std::string{text.front(), ' '}) == text.npos;
    const auto count = std::ranges::count(text, text.front());
    return is_uniform && (count >= 3 || (text.size() == static_cast<std::size_t>(count) &&
                                         (text.front() == '=' || count == 2)));
  }

  static std::string_view fence(std::string_view content) {
    for (const char mark : {'`', '~'}) {
      const auto length = std::min(content.find_first_not_of(mark), content.size());
      const bool has_mark_later = mark == '`' && content.find('`', length) != content.npos;
      if (length >= 3 && !has_mark_later) return content.substr(0, length);
    }
    return {};
  }

  void read_block() {
    const auto i = next_++;
    const auto start = prefix(line(i));
    const auto content = trim(line(i).substr(start.length));
    const bool is_indented =
        paragraph_.empty() && !start.has_mark && start.indentation >= (in_list_ ? 8 : 4);
    if (content.empty()) return end_paragraph();
    if (start.has_mark) in_list_ = true;
    if (!start.has_mark && paragraph_.empty() && start.indentation == 0) in_list_ = false;
    if (is_indented) return;
    if (const auto marks = fence(content); !marks.empty()) return skip_fence(marks);
    if (const auto kept = markdown_extension_lines(text_, std::span(lines_).subspan(i)); kept > 0) {
      next_ = i + kept;
      return end_paragraph();
    }
    if (is_rule(content) || !definition(content).empty()) return end_paragraph();
    if (content.front() == '#') return add_heading(i, start);
    if (content.front() == '<' && read_html(i, start)) return;
    if (is_table(i)) return read_table(i);
    if (start.has_mark || (!paragraph_.empty() && start.quotes != paragraph_prefix_.quotes))
      end_paragraph();
    if (paragraph_.empty()) paragraph_prefix_ = start;
    paragraph_.push_back({lines_[i].begin + start.length, lines_[i].end, lines_[i].next});
    if (line(i).ends_with("  ") || line(i).ends_with('\\')) end_paragraph();
  }

  void skip_fence(std::string_view marks) {
    end_paragraph();
    for (; next_ < lines_.size(); ++next_) {
      const auto content = trim(line(next_).substr(prefix(line(next_)).length));
      if (content.starts_with(marks) && content.find_first_not_of(marks.front()) == content.npos)
        break;
    }
    next_ = std::min(next_ + 1, lines_.size());
  }

  void add_heading(std::size_t i, const Prefix& start) {
    end_paragraph();
    const auto text = line(i);
    auto begin = text.find_first_not_of('#', start.length);
    if (begin == text.npos) return;
    begin = std::min(text.find_first_not_of(" \t", begin), text.size());
    auto end = text.find_last_not_of(" \t#") + 1;
    if (end < text.size() && end > begin && text[end] == '#') end = text.find_last_not_of("#") + 1;
    add_text({lines_[i].begin + begin, lines_[i].begin + std::max(end, begin), 0}, false);
  }

  /// Reads a block of HTML, which ends at a blank line. Returns false if the line only begins with
  /// a tag of running text.
  bool read_html(std::size_t i, const Prefix& start) {
    if (!paragraph_.empty()) return false;
    const auto begin = lines_[i].begin + start.length;
    const auto tag = tag_at(text_, begin);
    const bool is_block = tag && (tag->name.empty() || separates_words(tag->name) ||
                                  tag->name == "script" || tag->name == "style");
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
    std::size_t begin = prefix(row).length;
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
    const auto first = text.find_first_not_of(whitespace);
    if (first == text.npos) return;
    const auto last = text.find_last_not_of(whitespace) + 1;
    add_slot(range.begin + first, range.begin + last, text.substr(first, last - first), is_cell);
  }

  void add_slot(std::size_t begin, std::size_t end, std::string_view content, bool is_cell) {
    auto text = read_markdown(content, labels_);
    if (!segment_has_letters(text.segment())) return;
    auto slot = inline_slot(begin, end, std::move(text), spell_markdown);
    slot.write = [write = slot.write, is_cell](auto translations) {
      auto written = write(translations);
      if (!is_cell) return escape_block_start(std::move(written));
      for (auto at = written.find('|'); at != written.npos; at = written.find('|', at + 1)) {
        if (at == 0 || written[at - 1] != '\\') written.insert(at++, "\\");
      }
      return written;
    };
    slots_.push_back(std::move(slot));
  }

  void end_paragraph() {
    if (paragraph_.empty()) return;
    std::string content;
    for (const auto& part : paragraph_)
      (content += content.empty() ? "" : " ") +=
          trim(text_.substr(part.begin, part.end - part.begin));
    const auto last = text_.find_last_not_of(whitespace, paragraph_.back().end - 1) + 1;
    auto end = last;
    if (content.ends_with('\\')) {  // a hard line break
      content.pop_back();
      --end;
    }
    add_slot(paragraph_.front().begin, end, content, false);
    paragraph_.clear();
  }

  std::string_view text_;
  std::vector<TextLine> lines_;
  std::size_t next_ = 0;
  std::set<std::string, std::less<>> labels_;
  std::vector<TextLine> paragraph_;  // the content of its lines so far
  Prefix paragraph_prefix_;
  bool in_list_ = false;
  std::vector<TextSlot> slots_;
};

}  // namespace

std::vector<TextSlot> markdown_slots(std::string_view text) { return MarkdownReader(text).read(); }

}  // namespace tfm
