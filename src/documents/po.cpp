#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "text_document.h"
#include "tfm/core/error.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// The width of the lines that gettext's programs write.
constexpr std::size_t po_width = 79;

/// Returns the value of the escape sequences of C.
std::string decode_po(std::string_view text) {
  constexpr std::string_view names = "ntrabfv";
  constexpr std::string_view values = "\n\t\r\a\b\f\v";
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      value += text[i];
      continue;
    }
    ++i;
    const auto named = names.find(text[i]);
    value += named == names.npos ? text[i] : values[named];
  }
  return value;
}

std::string encode_po(std::string_view value) {
  constexpr std::string_view names = "ntrabfv\"\\";
  constexpr std::string_view values = "\n\t\r\a\b\f\v\"\\";
  std::string text;
  for (const char c : value) {
    const auto named = values.find(c);
    if (named == values.npos) {
      text += c;
    } else {
      (text += '\\') += names[named];
    }
  }
  return text;
}

/// Splits a value after each line end, and after spaces so that the lines fit into po_width.
std::vector<std::string> wrap_po(std::string_view value) {
  std::vector<std::string> lines;
  while (!value.empty()) {
    const auto end = std::min(value.find('\n'), value.size() - 1) + 1;
    auto line = value.substr(0, end);
    value.remove_prefix(end);
    while (line.size() + 2 > po_width) {
      auto space = line.rfind(' ', po_width - 3);
      if (space == line.npos) space = line.find(' ');
      if (space == line.npos || space + 1 == line.size()) break;
      lines.push_back(encode_po(line.substr(0, space + 1)));
      line.remove_prefix(space + 1);
    }
    lines.push_back(encode_po(line));
  }
  return lines;
}

/// Returns the value as it follows "msgstr ": on one line if it fits there, otherwise in lines of
/// its own after an empty one.
std::string spell_po(std::string_view value, std::size_t keyword, const std::string& line_break) {
  const auto lines = wrap_po(value);
  if (lines.empty()) return "\"\"";
  if (lines.size() == 1 && lines.front().size() + keyword + 3 <= po_width)
    return "\"" + lines.front() + "\"";
  std::string text = "\"\"";
  for (const auto& line : lines) text += line_break + "\"" + line + "\"";
  return text;
}

/// Returns the offset after the string in quotes that begins at `at`, or npos if there is none.
std::size_t quoted_end(std::string_view line, std::size_t at) {
  if (at >= line.size() || line[at] != '"') return line.npos;
  for (++at; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] == '\\') ++at;
  }
  return at < line.size() ? at + 1 : line.npos;
}

class PoReader {
 public:
  PoReader(const std::string& name, std::string_view text, bool mark_fuzzy)
      : name_(name),
        text_(text),
        mark_fuzzy_(mark_fuzzy),
        line_break_(text.find("\r\n") == text.npos ? "\n" : "\r\n") {}

  std::vector<TextSlot> read() {
    for (const auto& line : split_text_lines(text_)) {
      line_ = line;
      read_line(line_text(text_, line));
    }
    finish();
    return std::move(slots_);
  }

 private:
  /// A keyword with its strings.
  struct Value {
    std::string text;
    std::size_t keyword = 0;  // length of "msgstr[0]"
    std::size_t begin = 0;    // of the first string
    std::size_t end = 0;      // of the last string
  };

  struct Entry {
    std::map<std::string, Value, std::less<>> values;
    std::optional<TextLine> flags;  // the last line like "#, c-format"
    std::size_t begin = 0;          // of the first keyword
    bool is_fuzzy = false;
  };

  void read_line(std::string_view line) {
    const auto first = std::min(line.find_first_not_of(whitespace), line.size());
    if (first == line.size()) return;
    if (line[first] == '#') return read_comment(line.substr(first));
    if (line[first] == '"') return add_strings(first, line);
    const auto end = std::min(line.find_first_of(" \t\"", first), line.size());
    const auto keyword = line.substr(first, end - first);
    if (!keyword.starts_with("msg")) fail("is not a line of a PO file");
    if ((keyword == "msgctxt" || keyword == "msgid") && entry_.values.contains("msgid")) finish();
    if (entry_.values.empty()) entry_.begin = line_.begin;
    value_ = &entry_.values[std::string(keyword)];
    if (value_->end > 0) fail("repeats a keyword of its entry");
    value_->keyword = keyword.size();
    add_strings(std::min(line.find('"', end), line.size()), line);
  }

  void read_comment(std::string_view line) {
    if (!entry_.values.empty()) finish();
    if (!line.starts_with("#,")) return;
    entry_.flags = line_;
    entry_.is_fuzzy |= line.find("fuzzy") != line.npos;
  }

  /// Adds the strings from the offset `at` of the line on to the current value.
  void add_strings(std::size_t at, std::string_view line) {
    if (value_ == nullptr) fail("has no keyword before its string");
    do {
      const auto end = quoted_end(line, at);
      if (end == line.npos) fail("has no string in quotes");
      value_->text += decode_po(line.substr(at + 1, end - at - 2));
      if (value_->end == 0) value_->begin = line_.begin + at;
      value_->end = line_.begin + end;
      at = line.find_first_not_of(whitespace, end);
    } while (at != line.npos);
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw DataError(text_place(name_, text_, line_.begin), problem,
                    "Check the file with `msgfmt -c`.");
  }

  /// Adds the slots of the entry, and begins the next one.
  void finish() {
    const auto entry = std::exchange(entry_, {});
    value_ = nullptr;
    const auto id = entry.values.find("msgid");
    if (id == entry.values.end() || id->second.text.empty()) return;  // the header
    std::vector<TextSlot> slots;
    for (const auto& [keyword, value] : entry.values) {
      if (!keyword.starts_with("msgstr") || (!value.text.empty() && !entry.is_fuzzy)) continue;
      const auto plural = entry.values.find("msgid_plural");
      const bool is_plural =
          keyword.starts_with("msgstr[") && keyword != "msgstr[0]" && plural != entry.values.end();
      add_value(slots, is_plural ? plural->second.text : id->second.text, value);
    }
    if (slots.empty()) return;
    if (mark_fuzzy_ && !entry.is_fuzzy) slots_.push_back(fuzzy_slot(entry));
    std::ranges::sort(slots, {}, &TextSlot::begin);
    std::ranges::move(slots, std::back_inserter(slots_));
  }

  void add_value(std::vector<TextSlot>& slots, std::string_view source, const Value& value) const {
    StringValue string(source);
    if (string.segments().empty()) return;
    slots.push_back(
        {value.begin, value.end, string.segments(),
         [string, line_break = line_break_, keyword = value.keyword](auto translations) {
           return spell_po(string.join(translations), keyword, line_break);
         },
         true});
  }

  TextSlot fuzzy_slot(const Entry& entry) const {
    const auto at = entry.flags ? entry.flags->begin + 2 : entry.begin;
    const std::string flag = entry.flags ? " fuzzy," : "#, fuzzy" + line_break_;
    return {at, at, {}, [flag](auto) { return flag; }, true};
  }

  const std::string& name_;
  std::string_view text_;
  bool mark_fuzzy_;
  std::string line_break_;
  TextLine line_;
  Entry entry_;
  Value* value_ = nullptr;
  std::vector<TextSlot> slots_;
};

}  // namespace

std::vector<TextSlot> po_slots(const std::string& name, std::string_view text, bool mark_fuzzy) {
  return PoReader(name, text, mark_fuzzy).read();
}

}  // namespace tfm
