#include "markup_syntax.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "tfm/text/utf8.h"
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

/// The elements of HTML that begin or end a block, a line or a cell.
constexpr std::array<std::string_view, 46> block_elements{
    "address", "article", "aside",    "blockquote", "body",  "br",       "button",     "caption",
    "dd",      "details", "div",      "dl",         "dt",    "fieldset", "figcaption", "figure",
    "footer",  "form",    "h1",       "h2",         "h3",    "h4",       "h5",         "h6",
    "head",    "header",  "hr",       "html",       "input", "label",    "legend",     "li",
    "main",    "nav",     "ol",       "option",     "p",     "pre",      "section",    "table",
    "tbody",   "td",      "textarea", "th",         "title", "ul"};

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

/// Entity names of the code points U+00A0 to U+00FF, in order.
constexpr std::string_view latin1 =
    "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn "
    "sup2 sup3 acute micro para middot cedil sup1 ordm "
    "raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave "
    "Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH "
    "Ntilde "
    "Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig "
    "agrave aacute acirc atilde auml aring aelig ccedil "
    "egrave "
    "eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide "
    "oslash ugrave uacute ucirc uuml yacute thorn yuml";

const std::map<std::string, char32_t, std::less<>>& entity_names() {
  static const auto names = [] {
    std::map<std::string, char32_t, std::less<>> table{
        {"amp", U'&'},      {"lt", U'<'},      {"gt", U'>'},       {"quot", U'"'},
        {"apos", U'\''},    {"ndash", 0x2013}, {"mdash", 0x2014},  {"lsquo", 0x2018},
        {"rsquo", 0x2019},  {"sbquo", 0x201A}, {"ldquo", 0x201C},  {"rdquo", 0x201D},
        {"bdquo", 0x201E},  {"bull", 0x2022},  {"hellip", 0x2026}, {"lsaquo", 0x2039},
        {"rsaquo", 0x203A}, {"euro", 0x20AC},  {"trade", 0x2122},  {"OElig", 0x152},
        {"oelig", 0x153},   {"Scaron", 0x160}, {"scaron", 0x161},  {"minus", 0x2212},
        {"prime", 0x2032},  {"Prime", 0x2033}, {"larr", 0x2190},   {"rarr", 0x2192}};
    char32_t code_point = 0xA0;
    for (const auto name : split_words(latin1)) table.emplace(name, code_point++);
    return table;
  }();
  return names;
}

/// Returns the character of "#228" or "#xE4" in UTF-8. Returns "" if the number is malformed, or is
/// not a code point, or stands for a control character.
std::string decode_reference(std::string_view reference) {
  reference.remove_prefix(1);
  const bool hexadecimal = reference.starts_with('x') || reference.starts_with('X');
  if (hexadecimal) reference.remove_prefix(1);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(reference.data(), reference.data() + reference.size(),
                                            value, hexadecimal ? 16 : 10);
  const bool complete = error == std::errc() && end == reference.data() + reference.size();
  const bool control = value < 0x20 || (value >= 0x7F && value < 0xA0);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  return complete && !control && !surrogate && value <= 0x10FFFF ? encode_utf8(value) : "";
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

std::optional<Entity> entity_at(std::string_view line, std::size_t at) {
  constexpr std::size_t longest = 33;  // bytes of HTML's longest entity, with & and ;
  const auto end = line.substr(0, at + longest).find(';', at);
  if (end == line.npos || end == at + 1) return std::nullopt;
  const auto name = line.substr(at + 1, end - at - 1);
  Entity entity{"", end + 1 - at};
  if (name.starts_with('#')) {
    if (!std::ranges::all_of(name.substr(1), [](char c) { return is_letter(c) || is_digit(c); }) ||
        name.size() == 1)
      return std::nullopt;
    entity.text = decode_reference(name);
    return entity;
  }
  if (!is_letter(name.front()) ||
      !std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); }))
    return std::nullopt;
  if (const auto found = entity_names().find(name); found != entity_names().end())
    entity.text = encode_utf8(found->second);
  return entity;
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
