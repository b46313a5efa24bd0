#include "tfm/translate/html_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tfm/markup/entities.h"
#include "tiny_model.h"

namespace tfm {
namespace {

TEST(TranslateHtmlLines, GivesHtmlWhateverTheLineIs) {
  auto model = tiny_model(1, "& < a b");
  const Translator translator(model, model.config.decoding);
  const std::vector<std::string> lines{"a b", "<b>a</b> b", "a &amp; b", ""};
  const auto translations = translate_html_lines(translator, lines);
  ASSERT_EQ(translations.size(), lines.size());
  const auto plain = translator.translate({"a b", "a & b"});
  EXPECT_THAT(plain[0].text(), testing::ContainsRegex("[&<]"));
  EXPECT_EQ(decode_entities(translations[0].text()), plain[0].text());
  EXPECT_THAT(translations[0].text(), testing::Not(testing::ContainsRegex("[<]|& |&$")));
  EXPECT_THAT(translations[1].text(), testing::ContainsRegex("<b>.*</b>"));
  EXPECT_EQ(decode_entities(translations[2].text()), plain[1].text());
  EXPECT_EQ(translations[3].text(), "");
}

}  // namespace
}  // namespace tfm
