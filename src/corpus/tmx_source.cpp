#include "tmx_source.h"

#include <algorithm>
#include <array>

#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/core/line_reader.h"
#include "tfm/core/spelling.h"
#include "tfm/markup/entities.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

constexpr std::size_t longest_unit = 16 << 20;  // bytes

/// Returns the position of the start tag of this element ("<tu>", "<tu id=...>") from `at`, or
/// npos. A tag whose name only begins in the same way ("<tuv>") does not count.
std::size_t find_element(std::string_view text, std::string_view name, std::size_t at) {
  const std::string start = "<" + std::string(name);
  for (at = text.find(start, at); at != text.npos; at = text.find(start, at + 1)) {
    const std::size_t end = at + start.size();
    if (end < text.size() && std::string_view(" \t\r\n/>").find(text[end]) != text.npos) return at;
  }
  return text.npos;
}

/// Returns the value of the attribute lang or xml:lang of a start tag, in lower case.
std::string language_attribute(std::string_view tag) {
  const auto at = tag.find("lang=");
  if (at == tag.npos || at + 6 > tag.size()) return "";
  const char quote = tag[at + 5];
  const auto end = tag.find(quote, at + 6);
  return end == tag.npos ? "" : to_lower(tag.substr(at + 6, end - at - 6));
}

bool is_language(std::string_view attribute, std::string_view wanted) {
  return attribute == wanted ||
         (attribute.starts_with(wanted) && attribute.size() > wanted.size() &&
          (attribute[wanted.size()] == '-' || attribute[wanted.size()] == '_'));
}

/// Returns the unit without XML comments, which may contain anything.
std::string without_comments(std::string_view unit) {
  std::string text;
  for (;;) {
    const auto begin = unit.find("<!--");
    text += unit.substr(0, begin);
    if (begin == unit.npos) return text;
    const auto end = unit.find("-->", begin);
    if (end == unit.npos) return text;
    unit.remove_prefix(end + 3);
  }
}

/// Returns the position of a tag from the first one on that is not in a comment, or npos.
std::size_t find_outside_comments(std::string_view text, std::string_view tag) {
  for (std::size_t at = 0;;) {
    const auto found = text.find(tag, at);
    const auto comment = text.substr(0, found).find("<!--", at);
    if (comment == text.npos) return found;
    at = text.find("-->", comment);
    if (at == text.npos) return at;
  }
}

/// Returns what is between the start tag of an element that begins at `begin` and the first of its
/// end tag and the end of the text. An element such as <seg/> is empty.
std::string_view content_of(std::string_view text, std::string_view name, std::size_t begin) {
  const auto tag_end = text.find('>', begin);
  if (tag_end == text.npos || text[tag_end - 1] == '/') return {};
  const auto content = text.substr(tag_end + 1);
  return content.substr(0, content.find("</" + std::string(name)));
}

/// Finds the first variant (tuv) of each language in a unit. A variant without a segment (seg) has
/// no text.
void read_unit(std::string_view text, const std::string& source, const std::string& target,
               CorpusPair& pair) {
  const std::string unit = without_comments(text);
  bool has_source = false;
  bool has_target = false;
  const std::string_view view = unit;
  for (auto at = find_element(view, "tuv", 0); at != view.npos;
       at = find_element(view, "tuv", at + 1)) {
    const auto variant = content_of(view, "tuv", at);
    const auto segment = find_element(variant, "seg", 0);
    const auto content =
        segment == variant.npos ? std::string_view() : content_of(variant, "seg", segment);
    const auto language = language_attribute(view.substr(at, view.find('>', at) - at));
    const auto take = [&](const std::string& wanted, bool& has, std::string& side) {
      if (has || !is_language(language, wanted)) return;
      side = tmx_text(content);
      has = true;
    };
    take(source, has_source, pair.source);
    take(target, has_target, pair.target);
  }
  pair.malformed = !has_source || !has_target;
  if (pair.malformed) {
    pair.source = tmx_text(unit);
    pair.target.clear();
  }
}

}  // namespace

bool is_xml(const std::filesystem::path& file) {
  DecodedFile input(file);
  std::array<char, 512> bytes;
  std::string_view text(bytes.data(), input.read(bytes.data(), bytes.size(), file.string()));
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const auto begin = text.find_first_not_of(whitespace);
  if (begin == text.npos) return false;
  text.remove_prefix(begin);
  if (text.starts_with("\xFF\xFE<") || text.starts_with("\xFE\xFF")) return true;  // UTF-16
  return text.starts_with("<?xml") || text.starts_with("<!DOCTYPE") || text.starts_with("<tmx");
}

std::string tmx_text(std::string_view content) {
  static constexpr std::array<std::string_view, 5> codes{"bpt", "ept", "it", "ph", "ut"};
  std::string text;
  while (!content.empty()) {
    const auto tag = content.find('<');
    text += decode_entities(content.substr(0, tag));
    if (tag == content.npos) break;
    content.remove_prefix(tag);
    if (content.starts_with("<![CDATA[")) {
      const auto end = content.find("]]>");
      text += content.substr(9, end == content.npos ? end : end - 9);
      content.remove_prefix(end == content.npos ? content.size() : end + 3);
      continue;
    }
    const auto end = content.find('>');
    if (end == content.npos) break;
    const auto name = content.substr(1, content.find_first_of(" \t\r\n/>", 1) - 1);
    const bool is_empty = content[end - 1] == '/';
    content.remove_prefix(end + 1);
    if (is_empty || std::ranges::count(codes, name) == 0) continue;
    const auto close = content.find("</" + std::string(name));
    content.remove_prefix(std::min(close, content.size()));
  }
  std::string line;
  for (const auto word : split_words(text)) line.append(line.empty() ? "" : " ").append(word);
  return line;
}

TmxSource::TmxSource(const std::filesystem::path& file, std::string source_language,
                     std::string target_language)
    : file_(file),
      source_language_(to_lower(source_language)),
      target_language_(to_lower(target_language)),
      size_(std::max(1.0, static_cast<double>(std::filesystem::file_size(file)))) {
  if (source_language_.empty() || target_language_.empty())
    throw ConfigError(file.string(), "is a TMX file, and its languages are not named",
                      "Name them with --from and --to, as in its xml:lang attributes.");
}

bool TmxSource::read_more() {
  buffer_.erase(0, at_);
  at_ = 0;
  if (buffer_.size() > longest_unit)
    throw DataError(file_.file().string() + ":" + std::to_string(line_),
                    "the translation unit has more than " + format_bytes(longest_unit),
                    "Check that the file is TMX.");
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + (1 << 16));
  const std::size_t count = file_.read(buffer_.data() + kept, buffer_.size() - kept,
                                       file_.file().string() + ":" + std::to_string(line_));
  buffer_.resize(kept + count);
  if (kept == 0 && line_ == 1 &&
      (buffer_.starts_with("\xFF\xFE") || buffer_.starts_with("\xFE\xFF")))
    throw DataError(file_.file().string(), "is UTF-16", "Convert it to UTF-8, with iconv.");
  return count > 0;
}

void TmxSource::skip_to(std::size_t position) {
  line_ += std::count(buffer_.begin() + static_cast<std::ptrdiff_t>(at_),
                      buffer_.begin() + static_cast<std::ptrdiff_t>(position), '\n');
  at_ = position;
}

/// Skips what the buffer holds, except for its last bytes, which may be the beginning of a tag, and
/// reads more. Returns false at the end of the file.
bool TmxSource::read_beyond(std::size_t last) {
  skip_to(std::max(at_, buffer_.size() - std::min(buffer_.size(), last)));
  return read_more();
}

/// Skips to what follows the next occurrence of `end`. Returns false at the end of the file.
bool TmxSource::skip_over(std::string_view end) {
  for (;;) {
    const auto found = buffer_.find(end, at_);
    if (found != std::string::npos) {
      skip_to(found + end.size());
      return true;
    }
    if (!read_beyond(end.size())) return false;
  }
}

/// Skips to the start tag of the next unit. Returns false if there is none.
bool TmxSource::skip_to_unit() {
  for (;;) {
    const auto begin = find_element(buffer_, "tu", at_);
    const auto comment = std::string_view(buffer_).substr(0, begin).find("<!--", at_);
    if (comment != std::string::npos) {
      skip_to(comment);
      if (!skip_over("-->")) return false;
      continue;
    }
    if (begin != std::string::npos) {
      skip_to(begin);
      return true;
    }
    constexpr std::size_t longest = 4;  // "<tu>", "<!--"
    if (!read_beyond(longest)) return false;
  }
}

/// Returns the next unit from <tu to </tu>, or nullopt at the end of the file.
std::optional<std::string_view> TmxSource::next_unit() {
  if (!skip_to_unit()) return std::nullopt;
  for (;;) {
    const auto rest = std::string_view(buffer_).substr(at_);
    const auto end = find_outside_comments(rest, "</tu>");
    if (end != rest.npos) return rest.substr(0, end);
    if (!read_more())
      throw DataError(file_.file().string() + ":" + std::to_string(line_),
                      "the file ends within a translation unit",
                      "Fetch it again, or remove the unfinished unit.");
  }
}

bool TmxSource::next(CorpusPair& pair) {
  const auto unit = next_unit();
  if (!unit) return false;
  pair.line = line_;
  read_unit(*unit, source_language_, target_language_, pair);
  line_ += std::count(unit->begin(), unit->end(), '\n');
  at_ += unit->size();
  return true;
}

std::optional<double> TmxSource::share_read() const {
  return std::min(1.0, static_cast<double>(file_.bytes_read()) / size_);
}

}  // namespace tfm
