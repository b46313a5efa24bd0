#include <algorithm>

#include "marked_units.h"
#include "markup_syntax.h"
#include "tfm/markup/markup.h"
#include "token_placement.h"

namespace tfm {
namespace {

using Kind = MarkupToken::Kind;

bool begins_element(const MarkupToken& mark) {
  return mark.kind == Kind::opening || mark.kind == Kind::unclosed;
}
bool ends_element(const MarkupToken& mark) {
  return mark.kind == Kind::closing || mark.kind == Kind::unopened;
}

/// Decides where white space is placed in a translation with its markup: between units as in the
/// translation, and around markup tokens as in the source, if possible.
class Spacing {
 public:
  Spacing(std::span<const MarkupToken> marks, const std::vector<Unit>& source,
          const std::vector<Unit>& target, std::span<const std::int64_t> aligned)
      : marks_(marks), source_(source), target_(target), aligned_(aligned) {}

  /// Returns, for each item of `written`, whether white space precedes it.
  std::vector<bool> spaces(const std::vector<Written>& written) {
    spaces_.assign(written.size() + 1, false);
    for (std::size_t i = 0; i < written.size();) {
      if (!written[i].is_mark) {
        spaces_[i] = i > 0 && !written[i - 1].is_mark && two_words(written[i - 1], written[i]);
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < written.size() && written[end].is_mark) ++end;
      space_run(written, i, end);
      i = end + 1;  // space_run has handled the unit after the run
    }
    return std::move(spaces_);
  }

 private:
  const MarkupToken& mark(Written item) const { return marks_[item.index]; }
  bool two_words(Written a, Written b) const {
    return target_[a.index].word != target_[b.index].word;
  }

  /// Sets the spaces before, between and after the markup tokens written[begin, end). The items
  /// before and after these tokens are units, unless the line begins or ends there.
  void space_run(const std::vector<Written>& written, std::size_t begin, std::size_t end) {
    const bool first = begin == 0;
    const bool last = end == written.size();
    bool as_a_word = false;
    bool breaks_word = false;
    for (std::size_t i = begin; i < end; ++i) {
      as_a_word |= mark(written[i]).kind == Kind::placeholder;
      breaks_word |= mark(written[i]).breaks_word;
    }
    const bool gap = !first && !last && two_words(written[begin - 1], written[end]);
    const bool free = gap || first || last;
    if (!first)
      spaces_[begin] = as_a_word ? before_word(written[begin], written[begin - 1])
                                 : free && mark(written[begin]).space_before;
    for (std::size_t i = begin + 1; i < end; ++i) spaces_[i] = between(written[i - 1], written[i]);
    if (!last)
      spaces_[end] = as_a_word ? after_word(written[end - 1], written[end])
                               : free && mark(written[end - 1]).space_after;
    if (!gap || breaks_word || as_a_word) return;
    if (std::find(spaces_.begin() + static_cast<std::ptrdiff_t>(begin),
                  spaces_.begin() + static_cast<std::ptrdiff_t>(end) + 1,
                  true) != spaces_.begin() + static_cast<std::ptrdiff_t>(end) + 1) {
      return;
    }
    while (begin < end && ends_element(mark(written[begin]))) ++begin;
    spaces_[begin] = true;
  }

  bool between(Written left, Written right) const {
    const MarkupToken& before = mark(left);
    const MarkupToken& after = mark(right);
    // Tokens that were adjacent in the source keep their spacing.
    if (right.index == left.index + 1 && before.at == after.at) return after.space_before;
    const bool a_word = before.kind == Kind::placeholder || after.kind == Kind::placeholder;
    return a_word && !begins_element(before) && !ends_element(after);
  }

  /// Returns whether white space separates a unit from a following run of tokens that is read as a
  /// word. The spacing of the source is kept if unit and run were adjacent in the source, or if the
  /// run begins with an end tag. Otherwise white space separates them, except after opening
  /// punctuation.
  bool before_word(Written run, Written unit) const {
    const std::size_t next = unit_after(source_, mark(run));
    if (next > 0 && aligned_[unit.index] == static_cast<std::int64_t>(next) - 1)
      return mark(run).space_before;
    if (ends_element(mark(run))) return mark(run).space_before;
    return target_[unit.index].role != Unit::Role::before;
  }
  bool after_word(Written run, Written unit) const {
    if (aligned_[unit.index] == static_cast<std::int64_t>(unit_after(source_, mark(run))))
      return mark(run).space_after;
    if (begins_element(mark(run))) return mark(run).space_after;
    return target_[unit.index].role != Unit::Role::after;
  }

  std::span<const MarkupToken> marks_;
  const std::vector<Unit>& source_;
  const std::vector<Unit>& target_;
  std::span<const std::int64_t> aligned_;
  std::vector<bool> spaces_;
};

}  // namespace

std::string MarkedText::restore(std::string_view translation,
                                std::span<const std::int64_t> source_of) const {
  if (!has_markup()) return std::string(translation);
  const auto source = split_units(plain_, marks_);
  const auto [target, aligned] =
      align_units({plain_, source, element_depths(marks_, source)}, translation, source_of);
  const auto written = place_marks(marks_, source, aligned);
  const auto spaces = Spacing(marks_, source, target, aligned).spaces(written);
  std::string result;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (spaces[i]) result += ' ';
    if (written[i].is_mark) {
      result += marks_[written[i].index].text;
    } else {
      const Unit& unit = target[written[i].index];
      const auto text = translation.substr(unit.begin, unit.end - unit.begin);
      result += html_ ? escape(text, raw_specials_) : std::string(text);
    }
  }
  return result;
}

}  // namespace tfm
