#include "empty_parts.h"

#include <algorithm>
#include <optional>

#include "tfm/text/words.h"

namespace tfm {
namespace {

using TokenKind = InlineToken::Kind;

/// The punctuation that is joined to the word before it.
constexpr std::string_view closers = ".,;:!?)";

struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Returns the first word of a text without punctuation around it.
std::optional<ByteRange> first_word(std::string_view text) {
  const auto found = std::ranges::find_if(text, is_word_byte);
  if (found == text.end()) return std::nullopt;
  const auto begin = static_cast<std::size_t>(found - text.begin());
  auto end = std::min(text.find_first_of(whitespace, begin), text.size());
  while (!is_word_byte(text[end - 1])) --end;
  return ByteRange{begin, end};
}

/// Returns the last word of a text without punctuation around it.
std::optional<ByteRange> last_word(std::string_view text) {
  auto end = text.size();
  while (end > 0 && !is_word_byte(text[end - 1])) --end;
  if (end == 0) return std::nullopt;
  const auto space = text.find_last_of(whitespace, end - 1);
  auto begin = space == text.npos ? 0 : space + 1;
  while (!is_word_byte(text[begin])) ++begin;
  return ByteRange{begin, end};
}

class EmptyParts {
 public:
  explicit EmptyParts(const std::function<EmptyPart(std::size_t)>& if_empty)
      : if_empty_(if_empty) {}

  std::vector<InlineToken> settle(std::vector<InlineToken> tokens) {
    for (auto& token : tokens) {
      if (token.kind == TokenKind::text) {
        add_text(std::move(token.text));
      } else if (token.kind != TokenKind::close || !remove_empty(token)) {
        add(std::move(token));
      }
    }
    while (!homeless_.empty() && give_last_word()) continue;
    for (const auto number : homeless_) {
      settled_.push_back({TokenKind::open, "", number});
      settled_.push_back({TokenKind::close, "", number});
    }
    return std::move(settled_);
  }

 private:
  bool is_link(const InlineToken& token) const {
    return (token.kind == TokenKind::open || token.kind == TokenKind::close) &&
           if_empty_(token.number) == EmptyPart::takes_word;
  }

  void add(InlineToken token) {
    if (is_link(token)) links_ += token.kind == TokenKind::open ? 1 : -1;
    settled_.push_back(std::move(token));
  }

  /// Removes the start of the part that the token ends if nothing is in between.
  bool remove_empty(const InlineToken& token) {
    if (settled_.empty() || settled_.back().kind != TokenKind::open ||
        settled_.back().number != token.number || if_empty_(token.number) == EmptyPart::stays)
      return false;
    if (is_link(token)) {
      homeless_.push_back(token.number);
      --links_;
    }
    settled_.pop_back();
    has_removed_ = true;
    return true;
  }

  void add_text(std::string text) {
    if (has_removed_) join_spaces(text);
    has_removed_ = false;
    if (homeless_.empty() || links_ > 0) return push_text(text);
    // Punctuation that follows separates the part from the words after it.
    const auto word = first_word(text);
    const bool is_next =
        word && std::string_view(text).substr(0, word->begin).find_first_of(closers) == text.npos;
    if (!is_next && give_last_word()) return push_text(text);
    if (!word) return push_text(text);
    push_text(text.substr(0, word->begin));
    push_link(text.substr(word->begin, word->end - word->begin));
    push_text(text.substr(word->end));
  }

  /// Leaves one of the spaces before and after a part that has been removed, and none before
  /// punctuation.
  void join_spaces(std::string& text) {
    if (text.empty()) return;
    const bool is_after_text = !settled_.empty() && settled_.back().kind == TokenKind::text;
    const bool is_after_space = is_after_text && settled_.back().text.ends_with(' ');
    if (text.front() == ' ' && (is_after_space || settled_.empty())) text.erase(0, 1);
    if (is_after_space && !text.empty() && closers.find(text.front()) != closers.npos)
      settled_.back().text.pop_back();
  }

  void push_text(const std::string& text) {
    if (text.empty()) return;
    if (settled_.empty() || settled_.back().kind != TokenKind::text) {
      settled_.push_back({TokenKind::text, text});
    } else {
      settled_.back().text += text;
    }
  }

  void push_link(std::string word) {
    settled_.push_back({TokenKind::open, "", homeless_.front()});
    settled_.push_back({TokenKind::text, std::move(word)});
    settled_.push_back({TokenKind::close, "", homeless_.front()});
    homeless_.erase(homeless_.begin());
  }

  /// Puts a part around the last word so far that is not in a link and not far away.
  bool give_last_word() {
    constexpr std::size_t farthest = 64;
    const auto nearest = settled_.size() - std::min(settled_.size(), farthest);
    int links = links_;
    for (auto at = settled_.size(); at-- > nearest;) {
      const auto token = settled_[at];
      if (is_link(token)) links += token.kind == TokenKind::close ? 1 : -1;
      const auto word =
          token.kind == TokenKind::text && links == 0 ? last_word(token.text) : std::nullopt;
      if (!word) continue;
      const std::vector<InlineToken> after(settled_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                           settled_.end());
      settled_.resize(at);
      push_text(token.text.substr(0, word->begin));
      push_link(token.text.substr(word->begin, word->end - word->begin));
      push_text(token.text.substr(word->end));
      settled_.insert(settled_.end(), after.begin(), after.end());
      return true;
    }
    return false;
  }

  const std::function<EmptyPart(std::size_t)>& if_empty_;
  std::vector<InlineToken> settled_;
  std::vector<std::size_t> homeless_;  // the parts that need a word
  int links_ = 0;                      // that are open
  bool has_removed_ = false;           // since the last text
};

}  // namespace

std::vector<InlineToken> settle_empty_parts(
    std::vector<InlineToken> tokens, const std::function<EmptyPart(std::size_t number)>& if_empty) {
  return EmptyParts(if_empty).settle(std::move(tokens));
}

}  // namespace tfm
