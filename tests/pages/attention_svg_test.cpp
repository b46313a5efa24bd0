#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "sample.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++times;
  return times;
}

/// Returns the first error of an XML text (tags that do not nest, a bare < or &, or a control
/// character), or an empty string if there is no error.
std::string xml_error(const std::string& xml) {
  static const std::regex tag(R"re(<(/?)([A-Za-z]+)((?:\s+[A-Za-z:-]+="[^"<]*")*)(/?)>)re"),
      entity("&(amp|lt|gt|quot|apos|#[0-9]+);");
  std::vector<std::string> open;
  for (std::size_t i = xml.rfind("<?xml", 0) == 0 ? xml.find("?>") + 2 : 0; i < xml.size(); ++i) {
    std::smatch match;
    const auto from = xml.begin() + static_cast<std::ptrdiff_t>(i);
    const std::string near = " near " + xml.substr(i, 40);
    if (xml[i] == '<') {
      if (!std::regex_search(from, xml.end(), match, tag, std::regex_constants::match_continuous))
        return "not a tag" + near;
      if (match[1].length() != 0) {
        if (open.empty() || open.back() != match[2])
          return "closing tag without opening tag" + near;
        open.pop_back();
      } else if (match[4].length() == 0) {
        open.push_back(match[2]);
      }
      i += static_cast<std::size_t>(match.length()) - 1;
    } else if (xml[i] == '&' && !std::regex_search(from, xml.end(), match, entity,
                                                   std::regex_constants::match_continuous)) {
      return "bare &" + near;
    } else if (static_cast<unsigned char>(xml[i]) < 0x20 && xml[i] != '\n') {
      return "control character" + near;
    }
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

const SentenceAttention& sentence() {
  // S = 5 source tokens and T = 3 target tokens
  static const SentenceAttention made = made_up_sentence({"s0", "s1", "s2", "s3"}, {"t0", "t1"});
  return made;
}

TEST(AttentionSvg, DrawsOneCellPerUnmaskedWeight) {
  EXPECT_EQ(count(attention_svg(sentence(), {}), "class=\"cell\""), 5u * 5 + 3 * 4 / 2 + 3 * 5);
}

TEST(AttentionSvg, ShowsEachWeightInItsRowAndColumn) {
  const std::string svg = attention_svg(sentence(), {1, 2});
  for (int t = 0; t < 3; ++t) {
    for (int s = 0; s < 5; ++s) {
      const std::string& row = sentence().target_output[static_cast<std::size_t>(t)];
      const std::string& column = sentence().source[static_cast<std::size_t>(s)];
      const std::string label = row == "</s>" ? "&#60;/s&#62;" : row,
                        other = column == "</s>" ? "&#60;/s&#62;" : column;
      EXPECT_THAT(svg, HasSubstr(fmt::format("<title>{} → {}: {:.3f}</title>", label, other,
                                             sentence().cross.at(1, 2, t, s))));
    }
  }
  EXPECT_THAT(svg, HasSubstr(fmt::format("<title>t0 → t0: {:.3f}</title>",
                                         sentence().decoder.at(1, 2, 1, 1))));
}

TEST(AttentionSvg, AveragesOverLayersAndHeads) {
  float sum = 0;
  for (int l = 0; l < 2; ++l) {
    for (int h = 0; h < 3; ++h) sum += sentence().cross.at(l, h, 1, 3);
  }
  EXPECT_THAT(attention_svg(sentence(), {}),
              HasSubstr(fmt::format("<title>t1 → s3: {:.3f}</title>", sum / 6)));
  const float heads = sentence().cross.at(1, 0, 1, 3) + sentence().cross.at(1, 1, 1, 3) +
                      sentence().cross.at(1, 2, 1, 3);
  EXPECT_THAT(attention_svg(sentence(), {1, std::nullopt}),
              HasSubstr(fmt::format("<title>t1 → s3: {:.3f}</title>", heads / 3)));
}

TEST(AttentionSvg, PlacesColumnsLeftToRightAndRowsTopToBottom) {
  const std::string svg = attention_svg(sentence(), {0, 0});
  const auto place = [&](const std::string& title) {
    const auto at = svg.find("<title>" + title);
    std::smatch match;
    const std::string rect = svg.substr(svg.rfind("<rect", at), 80);
    EXPECT_TRUE(std::regex_search(rect, match, std::regex("x=\"([0-9.]+)\" y=\"([0-9.]+)\"")));
    return std::pair(std::stod(match[1]), std::stod(match[2]));
  };
  EXPECT_GT(place("t1 → s3").first, place("t1 → s2").first);
  EXPECT_EQ(place("t1 → s3").second, place("t1 → s2").second);
  EXPECT_GT(place("t1 → s3").second, place("t0 → s3").second);
}

TEST(AttentionSvg, IsWellFormedXmlForTokensWithMarkupAndInvalidCharacters) {
  const auto svg = attention_svg(made_up_sentence({"</text><script>", "\"&", "]]>", "a\x01\xff",
                                                   "\xEF\xBF\xBF", "👩‍👩‍👧‍👦"},
                                                  {"&amp;", "'"}),
                                 {});
  EXPECT_EQ(xml_error(svg), "");
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, HasSubstr("&#38;amp;"));
  EXPECT_THAT(svg, HasSubstr("👩‍👩‍👧‍👦"));
  EXPECT_NE(xml_error("<a><b></a></b>"), "");  // checks that xml_error finds errors
  EXPECT_NE(xml_error("<a>&</a>"), "");
  EXPECT_NE(xml_error("<a>"), "");
}

TEST(AttentionSvg, ShowsTheWordStartSymbolAsADot) {
  const std::string svg = attention_svg(made_up_sentence({"▁ein▁", "Bier"}, {"▁beer"}), {0, 0});
  EXPECT_THAT(svg, HasSubstr(">·ein·</text>"));
  EXPECT_THAT(svg, HasSubstr("<title>·beer → ·ein·: "));
}

TEST(AttentionSvg, OmitsAKindOfAttentionWithoutTheSelectedLayer) {
  SentenceAttention deep = sentence();
  deep.encoder = made_up_weights(6, 3, 5, 5);
  const std::string svg = attention_svg(deep, {4, std::nullopt});
  EXPECT_EQ(count(svg, "class=\"cell\""), 25u);
  EXPECT_THAT(svg, HasSubstr("layer 4, mean of 3 heads"));
  EXPECT_THAT(svg, Not(HasSubstr("Cross-attention")));
}

TEST(AttentionSvg, LoadsNoOtherFiles) {
  const std::string svg = attention_svg(sentence(), {});
  EXPECT_EQ(count(svg, "http"), 1u) << "only the name of the SVG namespace is allowed";
  for (const char* part : {"href", "@import", "url(h", "<image"})
    EXPECT_THAT(svg, Not(HasSubstr(part)));
}

}  // namespace
}  // namespace tfm
