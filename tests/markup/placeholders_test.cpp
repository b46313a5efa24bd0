#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tfm/markup/markup.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

using testing::HasSubstr;

std::vector<std::string> mark_texts(const MarkedText& text) {
  std::vector<std::string> texts;
  for (const auto& mark : text.marks()) texts.push_back(mark.text);
  return texts;
}

constexpr std::array placeholder_forms{
    // Java, .NET, Python, ICU
    "{}", "{0}", "{name}", "{user.name}", "{0:N2}", "{n, number}", "{0,date,short}",
    "{n, plural, one {# Tasse} other {# Tassen}}", "{g, select, male {er} other {sie}}",
    // Mustache, i18next, Jinja, Handlebars
    "{{name}}", "{{ name }}", "{{{name}}}", "{{#if user.name}}", "{{ n | round(2) }}",
    "{% if user %}", "{{< ref \"a.md\" >}}",
    // Ruby
    "%{name}", "%<name>s", "%<total>.2f", "%&lt;name&gt;s", "#{name}",
    // C, Objective-C, Python, PHP
    "%s", "%d", "%ld", "%lld", "%zu", "%5.2f", "%-10s", "%+d", "%.*f", "%,d", "%r", "%@", "%1$s",
    "%2$@", "%1$-5d", "%(name)s", "%(n)d", "%(n)dth", "%dpx", "%%", "%d%%", "%s/%s",
    // Shell, Perl, Symfony, Drupal, Chrome
    "$1", "$name", "$NAME", "$NAME$", "${name}", "${user.name}", "%name%", "%site", "%m", "%B",
    // Laravel
    ":name", ":user_id", ":smile:"};

TEST(Placeholder, IsKeptAsOneTokenInEachForm) {
  for (const std::string form : placeholder_forms) {
    const MarkedText text("vor " + form + " nach");
    EXPECT_EQ(text.plain(), "vor nach") << form;
    EXPECT_THAT(mark_texts(text), testing::ElementsAre(form));
    EXPECT_EQ(text.restore("x y", std::vector<std::int64_t>{0, 1}), "x " + form + " y");
    EXPECT_THAT(mark_texts(MarkedText(form)), testing::ElementsAre(form)) << "a whole line";
    EXPECT_EQ(MarkedText(form + ", ja").plain(), ", ja") << form;
  }
}

TEST(Placeholder, IsNotFoundInRunningText) {
  for (const std::string line : {"50 % der Leute",
                                 "100%",
                                 "100 %",
                                 "100%ig",
                                 "50%der",
                                 "50 %der",
                                 "50\u00A0%der",
                                 "az emberek 50%-a",
                                 "50 %-a",
                                 "20 %-ige",
                                 "50 %dünn",
                                 "%50 indirim",
                                 "10%bis20%",
                                 "%",
                                 "% d",
                                 "A$AP",
                                 "US$",
                                 "5 $",
                                 "$100",
                                 "$1.50",
                                 "{ein Satz}",
                                 "{# Tasse}",
                                 "C#",
                                 "#1",
                                 "a: b",
                                 "12:30",
                                 "Foo::bar",
                                 ":-)",
                                 ":D",
                                 ":p",
                                 "so:",
                                 "Wort:wort",
                                 "für:alle",
                                 "::",
                                 "{n, plural, one {# Tasse}"}) {
    EXPECT_THAT(mark_texts(MarkedText(line)), testing::IsEmpty()) << line;
    EXPECT_EQ(MarkedText(line).plain(), line);
  }
  EXPECT_EQ(MarkedText("50%<b>so</b>").plain(), "50%so");
}

TEST(Placeholder, EndsBeforeAWord) {
  EXPECT_EQ(MarkedText("%sDatei").plain(), "Datei");
  EXPECT_EQ(MarkedText("%1$sDatei").plain(), "Datei");
  EXPECT_EQ(MarkedText("%d을").plain(), "을");
  EXPECT_EQ(MarkedText("$PATH에").plain(), "에");
  EXPECT_EQ(MarkedText("%d件").plain(), "件");
  EXPECT_EQ(MarkedText("$name先生").plain(), "先生");
}

TEST(Placeholder, WithBracketsOfHtmlLeavesTheTranslationEscaped) {
  const std::vector<std::int64_t> words{0};
  EXPECT_EQ(MarkedText("%&lt;n&gt;s und").restore("<", words), "%&lt;n&gt;s &lt;");
}

TEST(Placeholder, IsReadInLinearTimeIfUnfinished) {
  for (const std::string part : {"{n, plural, ", "{{", "%(", "%<a", "$", "%-", ":a", "a.", "{%"}) {
    std::string line;
    for (int i = 0; i < 20'000; ++i) line += part;
    EXPECT_LE(MarkedText(line).plain().size(), line.size());
  }
}

}  // namespace
}  // namespace tfm
