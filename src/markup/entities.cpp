#include "tfm/markup/entities.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>

#include "tfm/text/utf8.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

bool is_ascii_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
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
        {"amp", U'&'},      {"lt", U'<'},       {"gt", U'>'},       {"quot", U'"'},
        {"apos", U'\''},    {"ndash", 0x2013},  {"mdash", 0x2014},  {"lsquo", 0x2018},
        {"rsquo", 0x2019},  {"sbquo", 0x201A},  {"ldquo", 0x201C},  {"rdquo", 0x201D},
        {"bdquo", 0x201E},  {"bull", 0x2022},   {"hellip", 0x2026}, {"lsaquo", 0x2039},
        {"rsaquo", 0x203A}, {"euro", 0x20AC},   {"trade", 0x2122},  {"OElig", 0x152},
        {"oelig", 0x153},   {"Scaron", 0x160},  {"scaron", 0x161},  {"minus", 0x2212},
        {"prime", 0x2032},  {"Prime", 0x2033},  {"larr", 0x2190},   {"rarr", 0x2192},
        {"uarr", 0x2191},   {"darr", 0x2193},   {"harr", 0x2194},   {"ensp", 0x2002},
        {"emsp", 0x2003},   {"thinsp", 0x2009}, {"zwnj", 0x200C},   {"zwj", 0x200D},
        {"lrm", 0x200E},    {"rlm", 0x200F},    {"dagger", 0x2020}, {"Dagger", 0x2021},
        {"permil", 0x2030}, {"Yuml", 0x178},    {"fnof", 0x192},    {"circ", 0x2C6},
        {"tilde", 0x2DC},   {"infin", 0x221E},  {"asymp", 0x2248},  {"ne", 0x2260},
        {"le", 0x2264},     {"ge", 0x2265}};
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

std::optional<Entity> entity_at(std::string_view line, std::size_t at) {
  constexpr std::size_t longest = 33;  // bytes of HTML's longest entity, with & and ;
  const auto end = line.substr(0, at + longest).find(';', at);
  if (end == line.npos || end == at + 1) return std::nullopt;
  const auto name = line.substr(at + 1, end - at - 1);
  Entity entity{"", end + 1 - at};
  if (name.starts_with('#')) {
    if (!std::ranges::all_of(name.substr(1), is_ascii_alphanumeric) || name.size() == 1)
      return std::nullopt;
    entity.text = decode_reference(name);
    return entity;
  }
  if ((name.front() >= '0' && name.front() <= '9') ||
      !std::ranges::all_of(name, is_ascii_alphanumeric))
    return std::nullopt;
  if (const auto found = entity_names().find(name); found != entity_names().end())
    entity.text = encode_utf8(found->second);
  return entity;
}

std::string decode_entities(std::string_view text) {
  std::string decoded;
  for (auto at = text.find('&'); at != text.npos; at = text.find('&')) {
    const auto entity = entity_at(text, at);
    const bool is_known = entity && !entity->text.empty();
    decoded += text.substr(0, at);
    decoded += is_known ? entity->text : "&";
    text.remove_prefix(at + (is_known ? entity->length : 1));
  }
  return decoded.append(text);
}

}  // namespace tfm
