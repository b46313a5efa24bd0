#include "tfm/markup/html_pieces.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "markup_syntax.h"
#include "tfm/core/spelling.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// The elements whose content is not running text.
constexpr std::array<std::string_view, 6> kept_elements{"code", "math",   "pre",
                                                        "svg",  "script", "style"};

bool is_kept(std::string_view name) {
  return std::ranges::find(kept_elements, name) != kept_elements.end();
}

class Splitter {
 public:
  explicit Splitter(std::string_view document) : document_(document), lower_(to_lower(document)) {
    find_ends();
  }

  std::vector<HtmlPiece> split() {
    for (std::size_t at = 0; (at = document_.find('<', at)) != document_.npos;) {
      leave_parts(at);
      const auto tag = tag_at(document_, at);
      at += tag ? read_tag(at, *tag) : 1;
    }
    leave_parts(document_.size());
    flush(document_.size());
    return std::move(pieces_);
  }

 private:
  /// A part of the document that is translated, or not, unlike what surrounds it.
  struct Part {
    std::size_t end = 0;  // npos: at the next tag of a block
    bool is_translated = false;
  };

  /// Returns the length of the tag or element, as far as it has been read.
  std::size_t read_tag(std::size_t at, const Tag& tag) {
    const auto kept = kept_length(at, tag);
    if (kept > 0 && tag.name != "br" && separates_words(tag.name)) leave_open_part(at);
    if (tag.kind == Tag::Kind::start) enter_part(at, tag);
    if (kept == 0) return tag.length;
    flush(at);
    add(document_.substr(at, kept), false);
    begin_ = at + kept;
    return kept;
  }

  bool is_translated() const { return parts_.empty() || parts_.back().is_translated; }

  /// Finds the ends of the elements that are searched for them: those that may contain themselves.
  void find_ends() {
    std::map<std::string, std::vector<std::size_t>, std::less<>> open;
    for (std::size_t at = 0; (at = document_.find('<', at)) != document_.npos;) {
      const auto tag = tag_at(document_, at);
      if (!tag) {
        ++at;
        continue;
      }
      auto& same = open[tag->name];
      if (tag->kind == Tag::Kind::start) same.push_back(at);
      if (tag->kind == Tag::Kind::end && !same.empty()) {
        ends_[same.back()] = at + tag->length;
        same.pop_back();
      }
      const bool is_raw = tag->name == "script" || tag->name == "style";
      at = is_raw && tag->kind == Tag::Kind::start ? end_of(at, *tag) : at + tag->length;
    }
  }

  /// Begins a part at an element with the attribute `translate`, which ends with the element. If
  /// the end tag is missing, as that of <p> may be, the part ends where another block begins.
  void enter_part(std::size_t at, const Tag& tag) {
    const auto value = tag_attribute(document_.substr(at, tag.length), "translate");
    if (!value) return;
    const auto setting = to_lower(*value);
    const bool is_no = setting == "no";
    if ((!is_no && !setting.empty() && setting != "yes") || is_no != is_translated()) return;
    flush(at);
    const auto end = ends_.find(at);
    parts_.push_back({end == ends_.end() ? document_.npos : end->second, !is_no});
  }

  void leave_parts(std::size_t at) {
    for (; !parts_.empty() && parts_.back().end <= at; parts_.pop_back())
      flush(std::max(parts_.back().end, begin_));
  }
  void leave_open_part(std::size_t at) {
    if (parts_.empty() || parts_.back().end != document_.npos) return;
    flush(at);
    parts_.pop_back();
  }

  /// Returns the length of the markup at `at` that is not part of running text, or 0.
  std::size_t kept_length(std::size_t at, const Tag& tag) const {
    if (is_kept(tag.name)) return tag.kind == Tag::Kind::start ? end_of(at, tag) - at : tag.length;
    return tag.name.empty() || separates_words(tag.name) ? tag.length : 0;
  }

  /// Returns the end of an element, or that of the document if its end tag is missing.
  std::size_t end_of(std::size_t at, const Tag& tag) const {
    if (const auto found = ends_.find(at); found != ends_.end()) return found->second;
    const auto end_tag = lower_.find("</" + tag.name, at + tag.length);
    const auto end = end_tag == lower_.npos ? lower_.npos : lower_.find('>', end_tag);
    return end == lower_.npos ? document_.size() : end + 1;
  }

  /// Adds what has not been added yet, up to `end`.
  void flush(std::size_t end) {
    const auto text = document_.substr(begin_, end - begin_);
    is_translated() ? add_text(text) : add(text, false);
    begin_ = end;
  }

  void add_text(std::string_view text) {
    const auto content = trim(text);
    if (content.empty()) return add(text, false);
    const auto first = static_cast<std::size_t>(content.data() - text.data());
    add(text.substr(0, first), false);
    add(content, true);
    add(text.substr(first + content.size()), false);
  }

  void add(std::string_view text, bool is_text) {
    if (text.empty()) return;
    if (!is_text && !pieces_.empty() && !pieces_.back().is_text) {
      pieces_.back().text += text;
    } else {
      pieces_.push_back({std::string(text), is_text});
    }
  }

  std::string_view document_;
  std::string lower_;
  std::unordered_map<std::size_t, std::size_t> ends_;  // of elements, by their begins
  std::vector<Part> parts_;                            // the innermost is the last
  std::size_t begin_ = 0;                              // of what has not been added yet
  std::vector<HtmlPiece> pieces_;
};

}  // namespace

std::vector<HtmlPiece> split_html(std::string_view document) { return Splitter(document).split(); }

std::string escape_html(std::string_view text) { return escape(text, ""); }

}  // namespace tfm
