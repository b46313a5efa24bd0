#include "tfm/markup/addresses.h"

#include <gtest/gtest.h>

#include "tfm/markup/markup.h"

namespace tfm {
namespace {

/// Returns the first address of the text, or an empty text.
std::string first_address(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (const auto length = address_length(text, at); length > 0)
      return std::string(text.substr(at, length));
  }
  return "";
}

TEST(Address, OfTheWebIsFoundInRunningText) {
  for (const std::string address :
       {"https://example.org", "http://example.org/der-bus", "HTTPS://Example.org/",
        "www.example.org", "mailto:me@example.org?subject=x", "ftp://example.org/a.zip",
        "https://example.org/a_(b)", "https://example.org:8080/?a=1&b[]=2#c",
        "https://example.org/?a=1&amp;b=2", "http://localhost/x", "https://example.org/{id}/edit",
        "http://[::1]/", "https://de.wikipedia.org/wiki/Größe", "https://example.org/a,b"}) {
    EXPECT_EQ(first_address(address), address);
    for (const std::string after : {"", ".", ", so", "!", "?", ")", "'", "\"", "&lt;", "&quot; x",
                                    "\u201C", "\u3002", "查看", "에서", "...", "<br>", "\u00A0!"})
      EXPECT_EQ(first_address("siehe (" + address + after), address) << after;
  }
  EXPECT_EQ(first_address("请访问https://example.org"), "https://example.org");
}

TEST(Address, OfMailIsFoundInRunningText) {
  for (const std::string address : {"me@example.org", "first.last+tag@mail.example.co.uk",
                                    "a_b@ex-ample.de", "jürgen@müller.de"})
    for (const std::string after : {"", ".", ", so", ")", "&gt;", "-", "查看", "。", ".."})
      EXPECT_EQ(first_address("an (" + address + after), address) << after;
}

TEST(Address, IsNotFoundInOtherText) {
  for (const std::string text :
       {"https://", "www.", "www...", "http:// x", "mailto: me", "awww.example.org", "a@b", "@name",
        "me@", "me@.org", "me@host", "a@b.c", "2@3.50", "www und http", "und/oder", "z.B. so"})
    EXPECT_EQ(first_address(text), "") << text;
}

TEST(Address, IsReadInLinearTime) {
  for (const std::string part : {"a.", "a@", "a@b.", "https://", "a@b.c.", "www.", "http://a("}) {
    std::string line;
    for (int i = 0; i < 20'000; ++i) line += part;
    EXPECT_LE(first_address(line).size(), line.size());
  }
}

TEST(MarkedTextAddress, IsTakenOutOfTheTextAndPutBack) {
  const auto restored = [](std::string_view line, std::string_view translation,
                           const std::vector<std::int64_t>& source_of) {
    return MarkedText(line).restore(translation, source_of);
  };
  EXPECT_EQ(MarkedText("Siehe https://example.org/der-bus heute.").plain(), "Siehe heute.");
  EXPECT_EQ(restored("<p>Siehe https://a.org/?b&amp;c heute.</p>", "See today.", {0, 1}),
            "<p>See https://a.org/?b&amp;c today.</p>");
  EXPECT_EQ(restored("Schreiben Sie an me@example.org.", "Write to.", {0, 2}),
            "Write to me@example.org.");
  EXPECT_EQ(MarkedText("Max <me@a.org>, hier").plain(), "Max, hier");
  EXPECT_EQ(MarkedText("Max &lt;me@a.org&gt;, hier").plain(), "Max, hier");
  EXPECT_EQ(restored("a https://a.org/?b&amp;c", "<", {0}), "&lt; https://a.org/?b&amp;c")
      << "the line is HTML";
}

}  // namespace
}  // namespace tfm
