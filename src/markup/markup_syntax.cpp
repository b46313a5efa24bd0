#include "markup_syntax.h"

#include <algorithm>
#include <array>

#include "tfm/text/words.h"

namespace tfm {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == ':' || c == '.';
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& sorted, std::string_view name) {
  return std::ranges::binary_search(sorted, name);
}

/// The void elements of HTML, which have no end tag.
constexpr std::array<std::string_view, 14> empty_elements{
    "area",  "base", "br",   "col",   "embed",  "hr",    "img",
    "input", "link", "meta", "param", "source", "track", "wbr"};

/// The elements of HTML that begin or end a block, a line or a cell, and those whose content is
/// apart from the text around them.
constexpr std::array<std::string_view, 69> block_elements{
    "address", "article",  "aside",  "audio", "blockquote", "body",     "br",         "button",
    "canvas",  "caption",  "center", "col",   "colgroup",   "datalist", "dd",         "details",
    "dialog",  "dir",      "div",    "dl",    "dt",         "fieldset", "figcaption", "figure",
    "footer",  "form",     "h1",     "h2",    "h3",         "h4",       "h5",         "h6",
    "head",    "header",   "hgroup", "hr",    "html",       "iframe",   "input",      "label",
    "legend",  "li",       "main",   "menu",  "nav",        "noframes", "noscript",   "object",
    "ol",      "optgroup", "option", "p",     "pre",        "search",   "section",    "select",
    "summary", "table",    "tbody",  "td",    "template",   "textarea", "tfoot",      "th",
    "thead",   "title",    "tr",     "ul",    "video"};

/// Returns the position after the '>' that ends a tag whose attributes begin at `at`, or npos if
/// the tag has no end. A '>' within quotes does not end the tag.
std::size_t tag_end(std::string_view line, std::size_t at) {
  while (at < line.size()) {
    const char c = line[at];
    if (c == '>') return at + 1;
    if (c == '<') return line.npos;
    if (c == '"' || c == '\'') {
      at = line.find(c, at + 1);
      if (at == line.npos) return line.npos;
    }
    ++at;
  }
  return line.npos;
}

/// Returns the markup from `at` to the end of the first occurrence of `end`, whose last character
/// is '>'. Finding each '>' first is many times faster than searching for `end` itself, which
/// matters for a line with thousands of unfinished comments.
std::optional<Tag> tag_until(std::string_view line, std::size_t at, std::string_view end) {
  for (auto found = line.find('>', at); found != line.npos; found = line.find('>', found + 1)) {
    const auto length = found + 1 - at;
    if (line.substr(at, length).ends_with(end)) return Tag{Tag::Kind::empty, "", length};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Tag> tag_at(std::string_view line, std::size_t at) {
  const auto rest = line.substr(at);
  if (rest.starts_with("<!--")) return tag_until(line, at, "-->");
  if (rest.starts_with("<![CDATA[")) return tag_until(line, at, "]]>");
  if (rest.starts_with("<?")) return tag_until(line, at, "?>");
  if (rest.starts_with("<!"))
    return rest.size() > 2 && is_letter(rest[2]) ? tag_until(line, at, ">") : std::nullopt;
  const bool end_tag = rest.starts_with("</");
  std::size_t name_end = end_tag ? 2 : 1;
  if (name_end >= rest.size() || !is_letter(rest[name_end])) return std::nullopt;
  const std::size_t name_begin = name_end;
  while (name_end < rest.size() && is_name_character(rest[name_end])) ++name_end;
  if (name_end >= rest.size() || (rest[name_end] != '>' && rest[name_end] != '/' &&
                                  whitespace.find(rest[name_end]) == whitespace.npos)) {
    return std::nullopt;  // not a tag: <me@example.org>
  }
  const auto length = tag_end(rest, name_end);
  if (length == rest.npos) return std::nullopt;
  Tag tag{end_tag ? Tag::Kind::end : Tag::Kind::start,
          lower(rest.substr(name_begin, name_end - name_begin)), length};
  if (rest[length - 2] == '/' || contains(empty_elements, tag.name)) tag.kind = Tag::Kind::empty;
  return tag;
}

bool separates_words(std::string_view tag_name) { return contains(block_elements, tag_name); }

std::optional<std::string> tag_attribute(std::string_view tag, std::string_view name) {
  constexpr std::string_view name_ends = " \t\r\n\f/=>";
  for (auto at = tag.find_first_of(whitespace); at < tag.size();) {
    const auto begin = tag.find_first_not_of(" \t\r\n\f/", at);
    if (begin >= tag.size() || tag[begin] == '>') break;
    const auto name_end = std::min(tag.find_first_of(name_ends, begin + 1), tag.size());
    const auto found = lower(tag.substr(begin, name_end - begin));
    const auto sign = tag.find_first_not_of(whitespace, name_end);
    std::string_view value;
    at = name_end;
    if (sign != tag.npos && tag[sign] == '=') {
      const auto first = tag.find_first_not_of(whitespace, sign + 1);
      if (first == tag.npos) break;
      const std::size_t quote = tag[first] == '"' || tag[first] == '\'' ? 1 : 0;
      at = quote > 0 ? tag.find(tag[first], first + 1) : tag.find_first_of(" \t\r\n\f>", first);
      if (at == tag.npos) break;
      value = tag.substr(first + quote, at - first - quote);
      at += quote;
    }
    if (found == name) return std::string(value);
  }
  return std::nullopt;
}

std::string escape(std::string_view text, std::string_view raw) {
  std::string result;
  for (const char c : text) {
    const bool special = (c == '&' || c == '<' || c == '>') && raw.find(c) == raw.npos;
    if (!special) {
      result += c;
    } else {
      result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : "&gt;";
    }
  }
  return result;
}

}  // namespace tfm
