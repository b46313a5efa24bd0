#include "tfm/markup/html_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> texts(const std::string& document) {
  std::vector<std::string> found;
  for (const auto& piece : split_html(document)) {
    if (piece.is_text) found.push_back(piece.text);
  }
  return found;
}

std::string joined(const std::string& document) {
  std::string all;
  for (const auto& piece : split_html(document)) all += piece.text;
  return all;
}

TEST(SplitHtml, SeparatesBlocksAndKeepsInlineTagsInTheText) {
  EXPECT_THAT(texts("<p>Ein <b>Haus</b>.</p>\n<ul><li>a</li><li>b c </li></ul>"),
              ElementsAre("Ein <b>Haus</b>.", "a", "b c"));
  EXPECT_THAT(texts("eins<br>zwei"), ElementsAre("eins", "zwei"));
}

TEST(SplitHtml, LeavesContentThatIsNotRunningText) {
  EXPECT_THAT(texts("a<script>if (x < 1) \"</p>\"</SCRIPT>b<!-- c <p> -->d<style>e</style>"),
              ElementsAre("a", "b", "d"));
  EXPECT_THAT(texts("<code>x</code>"), IsEmpty());
  EXPECT_THAT(texts("<script>never closed"), IsEmpty());
}

TEST(SplitHtml, SeparatesEveryElementThatIsABlock) {
  for (const std::string name : {"summary", "dialog", "center", "menu", "fieldset", "legend",
                                 "hgroup", "search", "tr", "thead", "tfoot", "optgroup", "select",
                                 "noscript", "iframe", "audio", "video", "object", "canvas"})
    EXPECT_THAT(texts("a<" + name + ">b</" + name + ">c"), ElementsAre("a", "b", "c")) << name;
}

TEST(SplitHtml, LeavesDrawingsAndFormulas) {
  EXPECT_THAT(
      texts("a <svg><svg><text>b</text></svg><title>c</title></svg> d <math><mi>x</mi></math>"),
      ElementsAre("a", "d"));
}

TEST(SplitHtml, LeavesElementsThatAreNotToBeTranslated) {
  EXPECT_THAT(texts("<p>a <b translate=no>b <b>c</b> d</b> e</p>"), ElementsAre("a", "e"));
  EXPECT_THAT(texts("<div TRANSLATE='No'><p>a</p><p translate=yes>b <i>c</i></p>d</div>e"),
              ElementsAre("b <i>c</i>", "e"));
  EXPECT_THAT(texts("<ul><li translate=\"no\">a <i>b</i><li>c</ul>d"), ElementsAre("c", "d"));
  EXPECT_THAT(texts("<p title=\"translate=no\" translate>a</p>"), ElementsAre("a"));
}

TEST(SplitHtml, ReadsTextThatResemblesMarkup) {
  EXPECT_THAT(texts("a < b"), ElementsAre("a < b"));
  EXPECT_THAT(texts("<p never closed"), ElementsAre("<p never closed"));
  EXPECT_THAT(texts(""), IsEmpty());
  EXPECT_THAT(texts(" \n "), IsEmpty());
}

TEST(SplitHtml, PiecesTogetherAreTheDocument) {
  for (const std::string document :
       {"", " a ", "<p> a<i>b </i></p> c<script>x", "<!DOCTYPE html>\n<html><body>a</body></html>",
        "<<p>>a<", "<pre>a\nb</pre>c\n\nd", "a<b translate=no>b<p>c<i translate=yes>d</i></b>e",
        "<i translate=no>a<b translate=yes></i></b>",
        "<p translate=no><code>a</code>b<code translate=yes>c</code><svg><svg>"})
    EXPECT_EQ(joined(document), document);
}

TEST(EscapeHtml, ReplacesTheCharactersThatBeginMarkup) {
  EXPECT_EQ(escape_html("a <b> & c"), "a &lt;b&gt; &amp; c");
}

}  // namespace
}  // namespace tfm
