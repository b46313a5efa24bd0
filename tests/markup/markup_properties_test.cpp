#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "property.h"
#include "tfm/markup/markup.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// Builds a well-nested line from parts, with unique names for markup tokens and words, and with
/// single spaces. Every sequence of parts gives a valid line, so RapidCheck can shrink a failing
/// line by dropping parts.
class MarkupLine {
 public:
  enum class Part { standalone, placeholder, word, word_with_comma, start_tag, end_tag };

  void add(Part part, bool spaced) {
    if (part == Part::end_tag) return close();
    const bool begins = text_.empty() || text_.back() == ' ' || just_opened_;
    if (spaced && !begins) text_ += ' ';
    just_opened_ = false;
    const auto name = std::to_string(++names_);
    if (part == Part::standalone) text_ += "<x" + name + "/>";
    if (part == Part::placeholder) text_ += "{" + name + "}";
    if (part == Part::word) text_ += "w" + name;
    if (part == Part::word_with_comma) text_ += "w" + name + ",";
    if (part == Part::start_tag) {
      text_ += "<e" + name + ">";
      open_.push_back(name);
      just_opened_ = true;
    }
  }

  std::string finish() {
    while (!open_.empty()) close();
    return text_;
  }

 private:
  void close() {
    if (open_.empty()) return;
    text_ += "</e" + open_.back() + ">";
    open_.pop_back();
    just_opened_ = false;
  }

  std::string text_;
  std::vector<std::string> open_;
  int names_ = 0;
  bool just_opened_ = false;
};

std::string any_line() {
  using Part = MarkupLine::Part;
  const auto part = rc::gen::elementOf(std::vector{
      Part::word, Part::word, Part::word_with_comma, Part::standalone, Part::placeholder,
      Part::start_tag, Part::start_tag, Part::end_tag, Part::end_tag});
  const auto parts = *rc::gen::container<std::vector<std::pair<Part, bool>>>(
                          rc::gen::pair(part, rc::gen::arbitrary<bool>()))
                          .as("parts");
  MarkupLine line;
  for (const auto& [each, spaced] : parts) line.add(each, spaced);
  return line.finish();
}

bool is_well_nested(const MarkedText& text) {
  std::vector<std::string> open;
  for (const MarkupToken& mark : text.marks()) {
    if (mark.kind == MarkupToken::Kind::opening) open.push_back(mark.text.substr(1));
    if (mark.kind != MarkupToken::Kind::closing) continue;
    if (open.empty() || open.back() != mark.text.substr(2)) return false;
    open.pop_back();
  }
  return open.empty();
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// Asserts that the text contains each markup token, and returns the text without them. The tokens
/// are found by their unique names. Parsing the text would not find all of them, because two
/// adjacent placeholders are read as one.
std::string without_marks(std::string text, const std::vector<MarkupToken>& marks) {
  for (const MarkupToken& mark : marks) {
    const auto found = text.find(mark.text);
    RC_ASSERT(found != text.npos);
    text.erase(found, mark.text.size());
  }
  return text;
}

struct AnyTranslation {
  std::string text;
  std::vector<std::int64_t> source_of;
};

AnyTranslation any_translation(const MarkedText& text) {
  const auto words = std::ssize(split_words(text.plain()));
  const auto source_of =
      *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(-1, words + 1))
           .as("source_of");
  std::string translation;
  for (std::size_t i = 0; i < source_of.size(); ++i) {
    translation += (i == 0 ? "t" : " t") + std::to_string(i);
    if (*rc::gen::inRange(0, 3) == 2) translation += '.';
  }
  return {translation, source_of};
}

TEST(MarkedTextProperty, RestoresTheLineIfEachWordIsItsOwnTranslation) {
  check_property([] {
    const std::string line = any_line();
    RC_LOG() << line << '\n';
    const MarkedText text(line);
    std::vector<std::int64_t> identity(split_words(text.plain()).size());
    std::iota(identity.begin(), identity.end(), 0);
    RC_ASSERT(text.restore(text.plain(), identity) == line);
  });
}

TEST(MarkedTextProperty, KeepsEachTokenAndWordExactlyOnceForAnyAlignment) {
  check_property([] {
    const std::string line = any_line();
    RC_LOG() << line << '\n';
    const MarkedText text(line);
    const auto [translation, source_of] = any_translation(text);
    const std::string restored = text.restore(translation, source_of);
    RC_LOG() << translation << '\n' << restored << '\n';
    RC_ASSERT(without_spaces(without_marks(restored, text.marks())) == without_spaces(translation));
    RC_ASSERT(is_well_nested(MarkedText(restored)));
  });
}

/// A line break, say, cuts elements into lines that are translated one by one.
TEST(MarkedTextProperty, NestsElementsThatAreCutIntoTwoLines) {
  check_property([] {
    const std::string line = any_line();
    const auto marks = MarkedText(line).marks();
    const auto cut = *rc::gen::inRange<std::size_t>(0, marks.size() + 1);
    const auto at = cut < marks.size() ? line.find(marks[cut].text) : line.size();
    std::string joined;
    for (const auto& half : {line.substr(0, at), line.substr(at)}) {
      RC_LOG() << half << '\n';
      const MarkedText text(half);
      const auto [translation, source_of] = any_translation(text);
      joined += text.restore(translation, source_of);
    }
    RC_LOG() << joined << '\n';
    const auto in_elements = [](const std::vector<MarkupToken>& tokens) {
      return std::ranges::count_if(tokens, [](const MarkupToken& mark) {
        return mark.kind == MarkupToken::Kind::opening || mark.kind == MarkupToken::Kind::closing;
      });
    };
    RC_ASSERT(in_elements(MarkedText(joined).marks()) == in_elements(marks));
  });
}

/// The lines are random sequences of complete and incomplete markup, which must be parsed without
/// an error.
TEST(MarkedTextProperty, KeepsEveryMarkupTokenOfMalformedMarkup) {
  check_property([] {
    const std::string line =
        *text_from({"<", ">", "/", "b", "<b>", "</b>", "<br/>", "<!--", "-->", "&", "amp;",  "#",
                    "{", "}", "%", "s", "$1",  "\"",   "'",     "=",    " ",   "a", "\u00e4"});
    const MarkedText text(line);
    std::vector<std::int64_t> nowhere(split_words(text.plain()).size(), -1);
    const std::string restored = text.restore(text.plain(), nowhere);
    for (const MarkupToken& mark : text.marks())
      RC_ASSERT(restored.find(mark.text) != restored.npos);
    if (!text.has_markup()) RC_ASSERT(restored == line);
  });
}

}  // namespace
}  // namespace tfm
