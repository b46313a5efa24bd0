#include "yaml_events.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "text_document.h"
#include "tfm/core/error.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// yaml-cpp reads the escapes "\_" and "\N" as single bytes: the last ones of U+00A0 and U+0085,
/// whose first byte is C2. No other byte of a value is invalid.
std::string complete_utf8(std::string_view value) {
  std::string completed;
  for (auto at = invalid_utf8(value); at; at = invalid_utf8(value)) {
    (completed.append(value, 0, *at) += '\xC2') += value[*at];
    value.remove_prefix(*at + 1);
  }
  return completed.append(value);
}

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
    if (!next() && is_text)
      found.push_back({static_cast<std::size_t>(mark.pos), complete_utf8(value), in_flow});
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

/// A text with further bytes in it.
struct LongerText {
  std::string text;
  std::vector<std::size_t> begins;    // of what follows each insertion, in `text`
  std::vector<std::size_t> inserted;  // the bytes inserted up to there

  /// Returns the offset in the original text.
  std::size_t original(std::size_t at) const {
    const auto before = std::ranges::upper_bound(begins, at) - begins.begin();
    return before == 0 ? at : at - inserted[static_cast<std::size_t>(before - 1)];
  }
};

/// The head of a block scalar (| or >) after a tag or an anchor in an item of a sequence: "- &x |".
struct BlockHead {
  std::size_t item;  // the column after the "-"
  std::size_t at;
};

std::optional<BlockHead> find_block_head(std::string_view line) {
  BlockHead head{0, line.find_first_not_of(' ')};
  for (; line.substr(std::min(head.at, line.size())).starts_with("- ");
       head.at = line.find_first_not_of(' ', head.item))
    head.item = head.at + 1;
  const auto begins_with = [&](std::string_view characters) {
    return head.at < line.size() && characters.find(line[head.at]) != characters.npos;
  };
  if (head.item == 0 || !begins_with("&!")) return std::nullopt;
  while (begins_with("&!"))
    head.at = line.find_first_not_of(' ', std::min(line.find(' ', head.at), line.size()));
  return begins_with("|>") ? std::optional(head) : std::nullopt;
}

/// Begins a line before each such head. yaml-cpp wants the block to be further right than the tag
/// or anchor in the line of the head, which YAML does not ask for.
LongerText separate_block_heads(std::string_view text) {
  LongerText longer;
  for (const auto& line : split_text_lines(text)) {
    auto content = text.substr(line.begin, line.next - line.begin);
    if (const auto head = find_block_head(content)) {
      longer.text.append(content, 0, head->at).append("\n").append(head->item, ' ');
      longer.begins.push_back(longer.text.size());
      longer.inserted.push_back(head->item + 1 +
                                (longer.inserted.empty() ? 0 : longer.inserted.back()));
      content.remove_prefix(head->at);
    }
    longer.text += content;
  }
  return longer;
}

std::vector<YamlScalar> parse_values(const std::string& text) {
  YamlScalars scalars;
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  while (parser.HandleNextDocument(scalars)) continue;
  return std::move(scalars.found);
}

}  // namespace

std::vector<YamlScalar> read_yaml_values(const std::string& name, std::string_view text) {
  try {
    return parse_values(std::string(text));
  } catch (const YAML::Exception& error) {
    const auto longer = separate_block_heads(text);
    try {
      if (!longer.begins.empty()) {
        auto values = parse_values(longer.text);
        for (auto& value : values) value.at = longer.original(value.at);
        return values;
      }
    } catch (const YAML::Exception&) {  // the first error names the line in the file
    }
    throw DataError(name + (error.mark.is_null() ? "" : fmt::format(":{}", error.mark.line + 1)),
                    "is not valid YAML: " + error.msg, "Correct the file at this line.");
  }
}

}  // namespace tfm
