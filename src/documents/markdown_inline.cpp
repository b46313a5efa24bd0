#include "markdown_inline.h"

#include <algorithm>
#include <cctype>
#include <ranges>

#include "markdown_extensions.h"
#include "markdown_lines.h"
#include "tfm/core/spelling.h"
#include "tfm/markup/addresses.h"
#include "tfm/markup/entities.h"
#include "tfm/markup/tags.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

constexpr int deepest_markdown = 16;
/// The farthest, in bytes, that the end of an element is searched, so that text full of characters
/// that begin elements is read in linear time.
constexpr std::size_t farthest_markdown = 2048;
constexpr std::string_view element_starts = "\n\\`<![*_~&hw${";

bool is_markdown_space(char c) { return whitespace.find(c) != whitespace.npos; }
bool is_markdown_punctuation(char c) { return std::ispunct(static_cast<unsigned char>(c)) != 0; }

class MarkdownInlineReader {
 public:
  MarkdownInlineReader(std::string_view text, const std::set<std::string, std::less<>>& labels)
      : text_(text), labels_(labels) {}

  std::vector<MarkdownPart> read() {
    read(0, text_.size(), 0);
    parts_.push_back(std::move(part_));
    return std::move(parts_);
  }

 private:
  struct Element {
    std::string before;
    std::string after;
    EmptyPart if_empty = EmptyPart::stays;
    std::size_t number = 0;  // in part_
  };

  void read(std::size_t at, std::size_t end, int depth) {
    while (at < end) {
      const auto next = element(at, end, depth);
      if (next > at) {
        at = next;
        continue;
      }
      auto stop = std::min(text_.find_first_of(element_starts, at + 1), end);
      while (stop < end && (text_[stop] == 'h' || text_[stop] == 'w') &&
             is_word_byte(text_[stop - 1]))
        stop = std::min(text_.find_first_of(element_starts, stop + 1), end);
      part_.text.add_text(text_.substr(at, stop - at));
      at = stop;
    }
  }

  /// Adds the element that begins at `at`. Returns its end, or `at` if it is text.
  std::size_t element(std::size_t at, std::size_t end, int depth) {
    const auto rest = text_.substr(at, std::min(end - at, farthest_markdown));
    switch (text_[at]) {
      case '\n':
        return line_break(at);
      case '\\':
        if (rest.size() < 2 || !is_markdown_punctuation(rest[1])) return at;
        part_.text.add_text(rest.substr(1, 1));
        return at + 2;
      case '`':
        return code(at, rest);
      case '<':
        return angle(at, rest);
      case '&':
        return entity(at, rest);
      case 'h':
      case 'w':
        return object(at, address_length(text_.substr(0, at + rest.size()), at));
      case '$':
      case '{':
        return object(at, markdown_extension_length(text_.substr(0, at + rest.size()), at));
      case '!':
        return rest.starts_with("![") && depth < deepest_markdown ? link(at, rest, depth) : at;
      case '[':
        return depth < deepest_markdown ? link(at, rest, depth) : at;
      default:
        return depth < deepest_markdown ? emphasis(at, rest, depth) : at;
    }
  }

  /// Ends the elements that are open, and begins them again in the next part.
  std::size_t line_break(std::size_t at) {
    const bool is_in_image = std::ranges::any_of(
        open_, [](const Element& element) { return element.before.starts_with('!'); });
    if (is_in_image) {
      part_.text.add_text(" ");
      return at + 1;
    }
    for (const auto& element : open_ | std::views::reverse)
      part_.text.close(element.number, element.after);
    parts_.push_back(std::move(part_));
    breaks_ += static_cast<std::size_t>(
        std::ranges::count(text_.substr(counted_, at + 1 - counted_), '\n'));
    counted_ = at + 1;
    part_ = {InlineText(), breaks_};
    for (auto& element : open_) element.number = part_.text.open(element.before, element.if_empty);
    return at + 1;
  }

  /// A line feed in what stays as it is would end in a hard line break that the text did not have.
  static std::string on_one_line(std::string_view text) {
    std::string line(text);
    std::ranges::replace(line, '\n', ' ');
    return line;
  }

  /// Adds what is kept as it is, unless its length is 0.
  std::size_t object(std::size_t at, std::size_t length) {
    if (length > 0) part_.text.add_object(on_one_line(text_.substr(at, length)));
    return at + length;
  }

  /// Returns the length of the code that begins the text, or 0.
  static std::size_t code_length(std::string_view rest) {
    const auto ticks = std::min(rest.find_first_not_of('`'), rest.size());
    for (auto found = rest.find('`', ticks); found != rest.npos; found = rest.find('`', found)) {
      const auto end = std::min(rest.find_first_not_of('`', found), rest.size());
      if (end - found == ticks) return end;
      found = end;
    }
    return 0;
  }

  std::size_t code(std::size_t at, std::string_view rest) {
    if (const auto length = code_length(rest); length > 0) return object(at, length);
    const auto ticks = std::min(rest.find_first_not_of('`'), rest.size());
    part_.text.add_text(rest.substr(0, ticks));
    return at + ticks;
  }

  /// Adds an address in angle brackets or a tag of HTML.
  std::size_t angle(std::size_t at, std::string_view rest) {
    if (const auto tag = tag_at(rest, 0)) {
      part_.text.add_tagged_text(on_one_line(rest.substr(0, tag->length)), false);
      return at + tag->length;
    }
    const auto end = rest.find_first_of("> \n<", 1);
    const bool is_address = end != rest.npos && rest[end] == '>' &&
                            rest.substr(0, end).find_first_of(":@") != rest.npos;
    return is_address ? object(at, end + 1) : at;
  }

  std::size_t entity(std::size_t at, std::string_view rest) {
    const auto entity = entity_at(rest, 0);
    if (!entity) return at;
    part_.text.add_html_text(rest.substr(0, entity->length));
    return at + entity->length;
  }

  /// Returns the offset of the bracket that closes the one at `at`, or npos.
  static std::size_t closing(std::string_view rest, std::size_t at, char open, char close) {
    int depth = 0;
    for (; at < rest.size(); ++at) {
      if (rest[at] == '\\') {
        ++at;
      } else if (rest[at] == '`') {
        const auto length = code_length(rest.substr(at));
        at += length > 0 ? length - 1 : 0;
      } else if (rest[at] == open) {
        ++depth;
      } else if (rest[at] == close && --depth == 0) {
        return at;
      }
    }
    return rest.npos;
  }

  std::size_t link(std::size_t at, std::string_view rest, int depth) {
    const std::size_t begin = rest.front() == '!' ? 2 : 1;
    const bool has_end = rest.find(']') != rest.npos;
    const auto end = has_end ? closing(rest, begin - 1, '[', ']') : rest.npos;
    if (end == rest.npos) return at;
    const auto label = rest.substr(begin, end - begin);
    if (label.starts_with('^')) return object(at, end + 1);  // a footnote
    auto length = end + 1;
    std::string after;
    if (rest.substr(length).starts_with('(')) {
      const auto close = closing(rest, length, '(', ')');
      if (close == rest.npos) return at;
      length = close + 1;
      after = rest.substr(end, length - end);
    } else {
      const auto next = rest.substr(length).starts_with('[') ? rest.find(']', length) : rest.npos;
      const auto reference =
          next == rest.npos ? std::string_view() : rest.substr(length + 1, next - length - 1);
      const auto target = reference.empty() ? label : reference;
      if (!labels_.contains(to_lower(target))) return at;
      if (next != rest.npos) length = next + 1;
      after = "][" + std::string(target) + "]";
    }
    enclose(at, begin, at + end, after, depth);
    return at + length;
  }

  /// Adds an element: `before` bytes at `at`, what it contains up to `end`, and `after`. In the
  /// translation, marks around nothing would be text, and the target of an empty link would be
  /// out of sight.
  void enclose(std::size_t at, std::size_t before, std::size_t end, std::string_view after,
               int depth) {
    Element element{std::string(text_.substr(at, before)), on_one_line(after)};
    if (element.before == "[") element.if_empty = EmptyPart::takes_word;
    if (!element.before.ends_with('[')) element.if_empty = EmptyPart::goes;
    element.number = part_.text.open(element.before, element.if_empty);
    open_.push_back(std::move(element));
    read(at + before, end, depth + 1);
    part_.text.close(open_.back().number, open_.back().after);
    open_.pop_back();
  }

  std::size_t emphasis(std::size_t at, std::string_view rest, int depth) {
    const char mark = rest.front();
    const auto length = std::min(rest.find_first_not_of(mark), rest.size());
    const bool inside_word = mark == '_' && at > 0 && is_word_byte(text_[at - 1]);
    const bool is_mark = mark == '*' || mark == '_' || (mark == '~' && length == 2);
    if (!is_mark || length > 3 || length == rest.size() || is_markdown_space(rest[length]) ||
        inside_word) {
      part_.text.add_text(rest.substr(0, length));
      return at + length;
    }
    const auto end = emphasis_end(rest, mark, length);
    if (end == rest.npos) {
      part_.text.add_text(rest.substr(0, length));
      return at + length;
    }
    enclose(at, length, at + end, rest.substr(0, length), depth);
    return at + end + length;
  }

  /// Returns the offset of the marks that end the emphasis at the begin of `rest`, or npos.
  static std::size_t emphasis_end(std::string_view rest, char mark, std::size_t length) {
    for (auto at = length; at < rest.size(); ++at) {
      if (rest[at] == '\\') {
        ++at;
      } else if (rest[at] == '`') {
        const auto code = code_length(rest.substr(at));
        at += code > 0 ? code - 1 : 0;
      } else if (rest[at] == mark) {
        const auto end = std::min(rest.find_first_not_of(mark, at), rest.size());
        const bool in_word = mark == '_' && end < rest.size() && is_word_byte(rest[end]);
        if (end - at == length && !is_markdown_space(rest[at - 1]) && !in_word) return at;
        at = end - 1;
      }
    }
    return rest.npos;
  }

  std::string_view text_;
  const std::set<std::string, std::less<>>& labels_;
  std::vector<Element> open_;  // the innermost is the last
  MarkdownPart part_;
  std::vector<MarkdownPart> parts_;  // before part_
  std::size_t counted_ = 0;          // the bytes whose line feeds are counted in breaks_
  std::size_t breaks_ = 0;
};

}  // namespace

std::vector<MarkdownPart> read_markdown(std::string_view text,
                                        const std::set<std::string, std::less<>>& labels) {
  return MarkdownInlineReader(text, labels).read();
}

std::string spell_markdown(std::string_view plain) {
  std::string text;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    const bool in_word =
        i > 0 && i + 1 < plain.size() && is_word_byte(plain[i - 1]) && is_word_byte(plain[i + 1]);
    const bool begins_tag =
        i + 1 < plain.size() && (std::isalpha(static_cast<unsigned char>(plain[i + 1])) != 0 ||
                                 plain[i + 1] == '/' || plain[i + 1] == '!');
    const bool begins_link = c == ']' && i + 1 < plain.size() && plain[i + 1] == '(';
    const bool begins_entity = c == '&' && entity_at(plain, i);
    if (c == '\\' || c == '`' || c == '*' || (c == '_' && !in_word) || (c == '<' && begins_tag) ||
        begins_link || begins_entity)
      text += '\\';
    text += c;
  }
  return text;
}

std::string escape_block_start(std::string text) {
  const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto at_mark = [&](std::size_t at) { return at + 1 >= text.size() || text[at + 1] == ' '; };
  if (digits > 0 && digits < text.size() && (text[digits] == '.' || text[digits] == ')')) {
    if (at_mark(digits)) text.insert(digits, "\\");
  } else if (!text.empty() && (text.front() == '>' || text.front() == '#' ||
                               ((text.front() == '-' || text.front() == '+') && at_mark(0)) ||
                               markdown_definition(text).lines > 0)) {
    text.insert(0, "\\");
  }
  return text;
}

}  // namespace tfm
