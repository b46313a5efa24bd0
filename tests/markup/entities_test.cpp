#include "tfm/markup/entities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(DecodeEntities, DecodesKnownEntitiesOnce) {
  EXPECT_EQ(decode_entities("R&amp;D &lt;%s&gt; &#228; &amp;lt; &x; & &"),
            "R&D <%s> ä &lt; &x; & &");
  EXPECT_EQ(decode_entities("&lrm;&rlm;&ensp;&yuml;&Yuml;"), "\u200E\u200F\u2002ÿŸ");
}

TEST(EntityAt, FindsWellFormedEntitiesOnly) {
  EXPECT_EQ(entity_at("&nosuch; x", 0)->length, 8u);
  EXPECT_EQ(entity_at("&nosuch; x", 0)->text, "");
  for (const char* text : {"&", "&;", "&#;", "& x;", "&1a;", "&a"})
    EXPECT_FALSE(entity_at(text, 0).has_value()) << text;
}

}  // namespace
}  // namespace tfm
