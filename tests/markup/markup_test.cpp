#include "tfm/markup/markup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tfm/text/words.h"

namespace tfm {
namespace {

using Alignment = std::vector<std::int64_t>;

std::string plain(std::string_view line) { return MarkedText(line).plain(); }

Alignment one_to_one(std::string_view text) {
  Alignment alignment(split_words(text).size());
  std::iota(alignment.begin(), alignment.end(), 0);
  return alignment;
}

/// Restores the markup of the line as if each word were its own translation.
std::string unchanged(const std::string& line) {
  const MarkedText text(line);
  return text.restore(text.plain(), one_to_one(text.plain()));
}

std::string restored(const std::string& line, const std::string& translation,
                     const Alignment& source_of) {
  return MarkedText(line).restore(translation, source_of);
}

TEST(MarkedText, RemovesMarkupAndDecodesEntities) {
  EXPECT_EQ(plain("Das ist <b>gut</b>."), "Das ist gut.");
  EXPECT_EQ(plain(R"(<a href="x?a>b" title='>'>Hier</a> <!-- <b> --> klicken)"), "Hier klicken");
  EXPECT_EQ(plain("Max &amp; Moritz &lt;b&gt; sch&ouml;n &#228;&#xE4;"),
            "Max & Moritz <b> schön ää");
  EXPECT_EQ(plain("Hallo {name}, {count} Nachrichten!"), "Hallo, Nachrichten!");
  EXPECT_EQ(plain("Eins<br/>zwei<p>drei</p>vier <b>f</b>ünf"), "Eins zwei drei vier fünf");
  EXPECT_EQ(plain("<br/>"), "");
  EXPECT_EQ(plain("<?xml version='1'?><!DOCTYPE html><![CDATA[ <x> ]]>ja"), "ja");
}

TEST(MarkedText, KeepsTextThatOnlyResemblesMarkup) {
  for (const std::string line :
       {"<",           "a < b",  "a<b",  "I <3 you",  "1 <2> 3", "<b",
        "<b class='x", "</",     "<>",   "<!-- open", "&",       "AT&T",
        "a &b",        "a & b;", "&;",   "&#;",       "{",       "{a sentence in braces}",
        "50 % der",    "100%ig", "$100", "$1.50",     "%",       "  two  spaces "}) {
    EXPECT_EQ(plain(line), line);
    EXPECT_FALSE(MarkedText(line).marks().size() > 0) << line;
    EXPECT_EQ(restored(line, "x < y & z", {}), "x < y & z") << line;
  }
}

TEST(MarkedText, RecognisesPlaceholders) {
  for (const std::string placeholder : {"{name}",      "{0}",      "{}",     "{{name}}",
                                        "{{ name }}",  "${x}",     "$1",     "%s",
                                        "%d",          "%1$d",     "%5.2f",  "%(name)s",
                                        "%@",          "%-10s",    "%lu",    "{count, number}",
                                        "{user.name}", "({name})", "\"%s\"", "{h}:{min}",
                                        "%d/%d"}) {
    const MarkedText text("vor " + placeholder + " nach");
    EXPECT_EQ(text.plain(), "vor nach") << placeholder;
    ASSERT_EQ(text.marks().size(), 1u) << placeholder;
    EXPECT_EQ(text.marks()[0].text, placeholder);
  }
}

TEST(MarkedText, RestoresTheSourceIfEachWordIsItsOwnTranslation) {
  for (const std::string line : {"Das ist <b>gut</b>.",
                                 "<p>Ganz</p>",
                                 "<p> innen </p>",
                                 "Das<b> ist </b>gut",
                                 "<b>a</b><i>b</i>",
                                 "<b>a</b> <i>b</i>",
                                 "a<br/>b",
                                 "a <br/> b",
                                 "a<br/> b",
                                 "Hallo {name}!",
                                 "Hallo {name}, wie geht's?",
                                 "{name}: {text}",
                                 "({name}) kommt",
                                 "{n}% hoch",
                                 "Größe:{n}px",
                                 "<b>{name}</b> kommt",
                                 "Hallo <b>{name}</b>!",
                                 "<a></a> leer",
                                 "<!-- c -->ja",
                                 "<ul><li>eins</li><li>zwei</li></ul>",
                                 "&lt;b&gt; &amp; so",
                                 "auf {button}.",
                                 "nur <i>das <b>hier</b></i>, ja",
                                 "</b> allein <i>",
                                 "<b>x<i>y</b>z</i>",
                                 "%s: %d von %d",
                                 "<br/>",
                                 "<b></b> <br/>",
                                 "{a}{b}",
                                 "&unbekannt; bleibt",
                                 "a < b <b>c</b>",
                                 "\"<b>Zitat</b>\" (<i>so</i>)"}) {
    EXPECT_EQ(unchanged(line), line);
  }
}

TEST(MarkedText, PutsElementsAroundTheAlignedWords) {
  // The order of the words changes: "saw", the translation of "gesehen", is the second word.
  EXPECT_EQ(restored("Ich habe es <b>gesehen</b>.", "I saw it.", {0, 3, 2}), "I <b>saw</b> it.");
  EXPECT_EQ(restored("Das ist <b>gut</b>.", "That is good.", {0, 1, 2}), "That is <b>good</b>.");
  EXPECT_EQ(
      restored("ein <a href=\"x\">rotes <b>Haus</b></a> hier", "here a house red", {3, 0, 2, 1}),
      "here a <a href=\"x\"><b>house</b> red</a>");
  EXPECT_EQ(restored("<p>Ja</p>", "Yes, of course.", {-1, -1, -1}), "<p>Yes, of course.</p>");
  EXPECT_EQ(restored("<b>H</b>allo Welt", "Hello world", {0, 1}), "<b>Hello</b> world");
  EXPECT_EQ(restored("das „<i>Haus</i>“", "the “house”", {0, 1}), "the “<i>house</i>”");
}

TEST(MarkedText, PutsElementsAroundTheBestRunIfTheAlignedWordsAreApart) {
  // "get up" becomes "stehe ... auf". In the first sentence, two other words are in between: a run
  // from "stehe" to "auf" would contain as many other words as words of the element.
  EXPECT_EQ(restored("I <b>get up</b> at 7", "Ich stehe um 7 auf", {0, 1, 3, 4, 2}),
            "Ich <b>stehe</b> um 7 auf");
  EXPECT_EQ(restored("I <b>get up</b> early", "Ich stehe früh auf", {0, 1, 3, 2}),
            "Ich <b>stehe früh auf</b>");
}

TEST(MarkedText, PutsStandaloneTokensBeforeTheWordThatFollowedThem) {
  EXPECT_EQ(restored("Ich habe {n} Nachrichten gelöscht.", "I deleted messages.", {0, 3, 2}),
            "I deleted {n} messages.");
  EXPECT_EQ(restored("eins <br/>zwei", "two one", {1, 0}), "<br/>two one");
  EXPECT_EQ(restored("Klick auf {button}.", "Click.", {0}), "Click {button}.");
  EXPECT_EQ(restored("Klick auf {button}.", "", {}), "{button}");
  EXPECT_EQ(restored("Siehe <img src='a'> da", "There see", {1, 0}), "<img src='a'> There see");
}

TEST(MarkedText, KeepsStandaloneTokensOutOfOtherElements) {
  EXPECT_EQ(restored("w <br/><b>x y</b>", "W Y X", {0, 2, 1}), "W <br/><b>Y X</b>");
  EXPECT_EQ(restored("<b>x y</b> <br/>z w", "X Z Y W", {0, 2, 1, 3}), "<b>X Z Y</b> <br/>W");
}

TEST(MarkedText, NestsElementsThatBeginOrEndInAnotherLine) {
  EXPECT_EQ(restored("a <b>b <i>c", "C A B", {2, 0, 1}), "<b><i>C A B");
  EXPECT_EQ(restored("a</i> b</b> c", "B C A", {1, 2, 0}), "B C A</i></b>");
  EXPECT_EQ(restored("a</b> b <i>c", "C B A", {2, 1, 0}), "C B A</b><i>");
  EXPECT_EQ(restored("a <b>b", "B A", {1, 0}), "<b>B A");
  EXPECT_EQ(restored("a <u>b</u> <b>c", "A C B", {0, 2, 1}), "A <u></u> <b>C B");
}

TEST(MarkedText, AlignsFinalPunctuationWithFinalPunctuation) {
  EXPECT_EQ(restored("Ich sehe <i>das</i> {x}.", "I that see.", {0, 2, 1}),
            "I <i>that</i> see {x}.");
}

TEST(MarkedText, EscapesTheTranslationOnlyIfTheSourceIsHtml) {
  EXPECT_EQ(restored("<b>Max</b>", "Max & <Moritz>", {0, -1, -1}),
            "<b>Max &amp; &lt;Moritz&gt;</b>");
  EXPECT_EQ(restored("AT&T &lt;", "AT&T <", {0, 1}), "AT&T &lt;")
      << "the source has an unescaped ampersand";
  EXPECT_EQ(restored("{name} Tom", "Tom & Co", {0, -1, -1}), "{name} Tom & Co");
}

TEST(MarkedText, RestoresVeryDeeplyNestedMarkup) {
  std::string line;
  for (int i = 0; i < 50000; ++i) line += "<b>";
  line += "x";
  for (int i = 0; i < 50000; ++i) line += "</b>";
  EXPECT_EQ(unchanged(line), line);
}

TEST(HasHtml, FindsTagsCommentsAndEntitiesOnly) {
  for (const char* line : {"a <b>bold</b> word", "a<br/>b", "x <!-- y --> z", "R&amp;D", "&#228;"})
    EXPECT_TRUE(has_html(line)) << line;
  for (const char* line : {"", "a < b", "<3", "AT&T", "R&D;", "{name} %s $1", "<me@example.org>"})
    EXPECT_FALSE(has_html(line)) << line;
}

}  // namespace
}  // namespace tfm
