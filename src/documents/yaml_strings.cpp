#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>

#include "text_document.h"
#include "tfm/core/error.h"
#include "tfm/core/spelling.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// A scalar of a YAML file that is a value, not a key.
struct YamlScalar {
  std::size_t at = 0;  // of its properties (tag, anchor), if it has any, or of the scalar
  std::string value;
  bool in_flow = false;  // true inside of [] or {}
};

/// Collects the scalars that are values: items of sequences and values of mappings.
class YamlScalars : public YAML::EventHandler {
 public:
  std::vector<YamlScalar> found;

  void OnDocumentStart(const YAML::Mark& mark) override {
    // After some errors, yaml-cpp reports further documents at one place forever.
    if (mark.pos == document_) throw YAML::ParserException(mark, "the document does not end here");
    document_ = mark.pos;
    open_.clear();
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override { next(); }
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override { next(); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    const bool is_text = tag.empty() || tag == "?" || tag == "!" || tag.ends_with(":str");
    const bool in_flow = !open_.empty() && open_.back().in_flow;
    if (!next() && is_text) found.push_back({static_cast<std::size_t>(mark.pos), value, in_flow});
  }
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value style) override {
    begin(false, style);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value style) override {
    begin(true, style);
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  struct Open {
    bool is_map = false;
    bool in_flow = false;
    bool expects_key = true;  // of a mapping
  };

  void begin(bool is_map, YAML::EmitterStyle::value style) {
    const bool in_flow =
        style == YAML::EmitterStyle::Flow || (!open_.empty() && open_.back().in_flow);
    next();
    open_.push_back({is_map, in_flow});
  }

  /// Counts a node of the innermost collection. Returns true if it is a key.
  bool next() {
    if (open_.empty() || !open_.back().is_map) return false;
    return std::exchange(open_.back().expects_key, !open_.back().expects_key);
  }

  std::vector<Open> open_;
  int document_ = -1;  // the offset at which the present document begins
};

/// Returns true if YAML reads the plain scalar as a number, a truth value, null or a date.
bool is_plain_constant(std::string_view value) {
  static const std::vector<std::string_view> words{"~",    "null",  "true",  "false", "yes",
                                                   "no",   "on",    "off",   "y",     "n",
                                                   ".inf", "+.inf", "-.inf", ".nan"};
  const auto lower = to_lower(value);
  if (std::ranges::find(words, lower) != words.end()) return true;
  const bool begins_as_number =
      lower.find_first_of("0123456789") == 0 || lower.find_first_of("0123456789") == 1;
  return begins_as_number && lower.find_first_not_of("0123456789abcdefox+-._:tz ") == lower.npos;
}

std::string spell_double_quoted(std::string_view value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      (text += '\\') += c;
    } else if (c == '\n' || c == '\t' || c == '\r') {
      text += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      text += fmt::format("\\x{:02x}", static_cast<int>(c));
    } else {
      text += c;
    }
  }
  return text + "\"";
}

std::string spell_single_quoted(std::string_view value) {
  if (value.find_first_of("\n\r") != value.npos) return spell_double_quoted(value);
  std::string text = "'";
  for (const char c : value) text.append(c == '\'' ? 2 : 1, c);
  return text + "'";
}

std::string spell_plain(std::string_view value, bool in_flow) {
  const bool begins_safely =
      !value.empty() &&
      std::string_view("-?:,[]{}#&*!|>'\"%@` \t").find(value.front()) == std::string_view::npos;
  const bool is_safe = begins_safely && value.back() != ':' && value.back() != ' ' &&
                       value.find(": ") == value.npos && value.find(" #") == value.npos &&
                       value.find_first_of("\n\r\t") == value.npos &&
                       !(in_flow && value.find_first_of(",[]{}") != value.npos) &&
                       !is_plain_constant(value) && value != "---" && value != "...";
  return is_safe ? std::string(value) : spell_double_quoted(value);
}

class YamlReader {
 public:
  YamlReader(const std::string& name, std::string_view text) : name_(name), text_(text) {}

  std::vector<TextSlot> read() {
    YamlScalars scalars;
    const bool has_mark = text_.starts_with("\xEF\xBB\xBF");
    try {
      std::istringstream stream{std::string(text_)};
      YAML::Parser parser(stream);
      while (parser.HandleNextDocument(scalars)) continue;
    } catch (const YAML::Exception& error) {
      throw DataError(name_ + (error.mark.is_null() ? "" : fmt::format(":{}", error.mark.line + 1)),
                      "is not valid YAML: " + error.msg, "Correct the file at this line.");
    }
    for (auto& scalar : scalars.found) add(scalar, scalar.at + (has_mark ? 3 : 0));
    return std::move(slots_);
  }

 private:
  void add(const YamlScalar& scalar, std::size_t at) {
    at = skip_properties(at);
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

  /// Adds the lines of a block scalar; those of a folded one are joined.
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
      if (!is_folded || (!joined.empty() && indentation(joined.back()) != indent)) flush();
      joined.push_back(line);
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
