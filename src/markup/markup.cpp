#include "tfm/markup/markup.h"

#include <algorithm>
#include <cctype>

#include "markup_syntax.h"
#include "tfm/markup/entities.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// The maximum depth of elements. Tags nested deeper are standalone, because restoring walks the
/// tree of elements recursively.
constexpr std::size_t deepest = 200;

bool is_space(char c) { return whitespace.find(c) != whitespace.npos; }
bool is_ascii_punctuation(char c) {
  return c > ' ' && c < '\x7F' && std::isalnum(static_cast<unsigned char>(c)) == 0;
}
bool closes(char c) { return std::string_view(".,;:!?)]}").find(c) != std::string_view::npos; }

/// Parses a line from left to right into plain text and markup tokens.
class Reader {
 public:
  Reader(std::string_view line, std::vector<MarkupToken>& marks) : line_(line), marks_(marks) {}

  void read() {
    while (at_ < line_.size()) {
      if (is_space(line_[at_])) {
        space();
      } else if (!(line_[at_] == '<' && tag()) && !placeholder() &&
                 !(line_[at_] == '&' && entity())) {
        if (line_[at_] == '&' || line_[at_] == '<' || line_[at_] == '>') raw_specials += line_[at_];
        text(line_.substr(at_, 1));
        ++at_;
      }
    }
    for (const std::size_t open : open_) marks_[open].kind = MarkupToken::Kind::unclosed;
  }

  std::string plain;
  std::string raw_specials;
  bool escaped = false;
  bool html = false;

 private:
  void space() {
    ++at_;
    space_ = true;
    if (run_of_marks_) marks_.back().space_after = true;
  }

  /// Appends the next `length` bytes of the line as a markup token.
  MarkupToken& mark(std::size_t length, MarkupToken::Kind kind) {
    MarkupToken mark{std::string(line_.substr(at_, length)), kind, 0, plain.size(), false, false,
                     kind == MarkupToken::Kind::placeholder};
    mark.space_before = at_ > 0 && is_space(line_[at_ - 1]);
    at_ += length;
    run_of_marks_ = true;
    marks_.push_back(std::move(mark));
    return marks_.back();
  }

  bool tag() {
    const auto tag = tag_at(line_, at_);
    if (!tag) return false;
    html = true;
    const std::size_t index = marks_.size();
    auto& taken = mark(tag->length, MarkupToken::Kind::standalone);
    taken.breaks_word = separates_words(tag->name);
    if (tag->kind == Tag::Kind::start && open_.size() < deepest) {
      taken.kind = MarkupToken::Kind::opening;  // reset if no end tag follows
      open_.push_back(index);
      names_.push_back(tag->name);
    } else if (tag->kind == Tag::Kind::end) {
      close(index, tag->name);
    }
    return true;
  }

  /// Closes the innermost open element of this name. Elements that are open inside it have no end
  /// tag and become standalone.
  void close(std::size_t index, const std::string& name) {
    const auto found = std::find(names_.rbegin(), names_.rend(), name);
    if (found == names_.rend()) {
      // Inside of an element, the tag is not nested.
      if (open_.empty() && unopened_++ < deepest) marks_[index].kind = MarkupToken::Kind::unopened;
      return;
    }
    const auto depth = static_cast<std::size_t>(names_.rend() - found) - 1;
    for (std::size_t i = depth + 1; i < open_.size(); ++i)
      marks_[open_[i]].kind = MarkupToken::Kind::standalone;
    marks_[index].kind = MarkupToken::Kind::closing;
    marks_[index].partner = open_[depth];
    marks_[open_[depth]].partner = index;
    open_.resize(depth);
    names_.resize(depth);
  }

  bool entity() {
    const auto found = entity_at(line_, at_);
    if (!found) return false;
    escaped = html = true;
    if (found->text.empty()) {
      mark(found->length, MarkupToken::Kind::placeholder).breaks_word = false;
    } else {
      text(found->text);
      at_ += found->length;
    }
    return true;
  }

  /// Reads a placeholder. The placeholder includes brackets and quotes that enclose nothing else,
  /// and further placeholders that are separated only by punctuation: ("{name}"), {h}:{min}.
  bool placeholder() {
    std::size_t length = placeholder_length(line_, at_);
    std::size_t opened = 0;
    while (length == 0 && at_ + opened < line_.size() && opened < 4 &&
           closing_of(line_[at_ + opened]) != '\0') {
      ++opened;
      if (at_ + opened < line_.size()) length = placeholder_length(line_, at_ + opened);
    }
    if (length == 0) return false;
    std::size_t end = at_ + opened + length;
    for (std::size_t next = next_placeholder_end(end); next > end; next = next_placeholder_end(end))
      end = next;
    for (std::size_t i = opened; i-- > 0; ++end) {
      if (end >= line_.size() || line_[end] != closing_of(line_[at_ + i])) return false;
    }
    html |= has_html(mark(end - at_, MarkupToken::Kind::placeholder).text);
    return true;
  }

  static char closing_of(char c) {
    constexpr std::string_view opening = "([\"'{";
    constexpr std::string_view closing = ")]\"'}";
    const auto found = opening.find(c);
    return found == opening.npos ? '\0' : closing[found];
  }

  /// Returns the end of the placeholder that follows `end` directly or after at most two
  /// punctuation characters. Returns `end` if there is no such placeholder.
  std::size_t next_placeholder_end(std::size_t end) const {
    for (std::size_t at = end; at < std::min(line_.size(), end + 3); ++at) {
      if (const auto length = placeholder_length(line_, at); length > 0) return at + length;
      if (!is_ascii_punctuation(line_[at]) || line_[at] == '<' || line_[at] == '&' ||
          closing_of(line_[at]) != '\0')
        break;
    }
    return end;
  }

  /// Decides whether a space precedes text that follows markup without white space. A token that
  /// breaks words adds a space, but punctuation after a placeholder is joined to the word before
  /// the placeholder.
  void after_marks(char first) {
    const bool glued = !is_space(line_[at_ - 1]);
    bool word_is_broken = false;
    bool placeholder = false;
    for (auto mark = marks_.rbegin(); mark != marks_.rend() && mark->at == plain.size(); ++mark) {
      word_is_broken |= mark->breaks_word;
      placeholder |= mark->kind == MarkupToken::Kind::placeholder;
    }
    if (glued && word_is_broken) space_ = true;
    if (glued && placeholder && closes(first)) space_ = false;
  }

  void text(std::string_view content) {
    if (run_of_marks_) after_marks(content.front());
    run_of_marks_ = false;
    if (space_ && !plain.empty()) plain += ' ';
    space_ = false;
    plain += content;
  }

  std::string_view line_;
  std::vector<MarkupToken>& marks_;
  std::vector<std::size_t> open_;   // indices of the start tags that are still open
  std::vector<std::string> names_;  // names of the tags in open_
  std::size_t unopened_ = 0;        // end tags without a start tag
  std::size_t at_ = 0;
  bool space_ = false;         // true if a space precedes the next text
  bool run_of_marks_ = false;  // true if a markup token was read since the last text
};

}  // namespace

MarkedText::MarkedText(std::string_view line) {
  Reader reader(line, marks_);
  reader.read();
  raw_specials_ = std::move(reader.raw_specials);
  escaped_ = reader.escaped;
  html_ = reader.html;
  plain_ = has_markup() ? std::move(reader.plain) : std::string(line);
}

bool has_html(std::string_view line) {
  for (auto at = line.find_first_of("<&"); at != line.npos; at = line.find_first_of("<&", at + 1)) {
    if (line[at] == '<' && tag_at(line, at)) return true;
    if (line[at] == '&') {
      const auto entity = entity_at(line, at);
      if (entity && !entity->text.empty()) return true;
    }
  }
  return false;
}

}  // namespace tfm
