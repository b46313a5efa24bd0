#include "tfm/markup/html_pieces.h"

#include <algorithm>
#include <array>

#include "markup_syntax.h"
#include "tfm/core/spelling.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// The elements whose content is not running text.
constexpr std::array<std::string_view, 4> kept_elements{"code", "pre", "script", "style"};

class Splitter {
 public:
  explicit Splitter(std::string_view document) : document_(document), lower_(to_lower(document)) {}

  std::vector<HtmlPiece> split() {
    std::size_t at = 0;
    while ((at = document_.find('<', at)) != document_.npos) {
      const auto kept = kept_length(at);
      if (kept > 0) {
        add_text(document_.substr(begin_, at - begin_));
        add(document_.substr(at, kept), false);
        begin_ = at + kept;
      }
      at += std::max<std::size_t>(kept, 1);
    }
    add_text(document_.substr(begin_));
    return std::move(pieces_);
  }

 private:
  /// Returns the length of the markup at `at` that is not part of running text, or 0.
  std::size_t kept_length(std::size_t at) const {
    const auto tag = tag_at(document_, at);
    if (!tag) return 0;
    if (std::ranges::find(kept_elements, tag->name) != kept_elements.end())
      return tag->kind == Tag::Kind::start ? element_length(at, *tag) : tag->length;
    return tag->name.empty() || separates_words(tag->name) ? tag->length : 0;
  }

  /// Returns the length of the element up to its end tag, or to the end of the document.
  std::size_t element_length(std::size_t at, const Tag& tag) const {
    const auto end_tag = lower_.find("</" + tag.name, at + tag.length);
    const auto end = end_tag == lower_.npos ? lower_.npos : lower_.find('>', end_tag);
    return (end == lower_.npos ? document_.size() : end + 1) - at;
  }

  void add_text(std::string_view text) {
    const auto first = text.find_first_not_of(whitespace);
    if (first == text.npos) return add(text, false);
    const auto last = text.find_last_not_of(whitespace) + 1;
    add(text.substr(0, first), false);
    add(text.substr(first, last - first), true);
    add(text.substr(last), false);
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
  std::size_t begin_ = 0;  // of the running text that has not been added yet
  std::vector<HtmlPiece> pieces_;
};

}  // namespace

std::vector<HtmlPiece> split_html(std::string_view document) { return Splitter(document).split(); }

std::string escape_html(std::string_view text) { return escape(text, ""); }

}  // namespace tfm
