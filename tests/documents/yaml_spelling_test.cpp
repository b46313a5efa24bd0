#include "documents/yaml_spelling.h"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

namespace tfm {
namespace {

TEST(YamlSpelling, KnowsNumbersTruthValuesNullAndDates) {
  for (const std::string constant : {"~",
                                     "NULL",
                                     "True",
                                     "yes",
                                     "N",
                                     "0",
                                     "-12",
                                     "+1_000",
                                     "0x1F",
                                     "-0o17",
                                     "0b1010_0",
                                     "017",
                                     "1.",
                                     ".5",
                                     "-1.5e+3",
                                     "1E3",
                                     "1_0.5",
                                     "190:20:30",
                                     "10:30.5",
                                     ".inf",
                                     "-.Inf",
                                     ".NaN",
                                     "2001-12-14",
                                     "2001-1-2T1:02:03Z",
                                     "2001-12-14 21:59:43.1 +05:30",
                                     "2001-12-14\t21:59:43 -5"})
    EXPECT_TRUE(is_plain_constant(constant)) << constant;
  for (const std::string text :
       {"",      "2 boote", "5 tote", "1e",      "e5",         "0x",  "0xg",          "1.2.3",
        "1:",    "a",       "-",      ".",       "1-2",        "0o8", "0b2",          "1e5.5",
        "2 b",   "12 a",    "_1",     "10:30:x", "2001-12",    "+",   "2001-12-14 b", "x.inf",
        "-true", "1 000",   "1:222",  ".e1",     "2001-12-14t"})
    EXPECT_FALSE(is_plain_constant(text)) << text;
}

TEST(YamlSpelling, SpellsLineBreaksOfAnyYamlAsEscapes) {
  const std::string value = "\u00e4\u00a0\"\\\n\t\x01\x7f\u0085\u2028\u2029";
  for (const auto& spelled :
       {spell_double_quoted(value), spell_single_quoted(value), spell_plain(value, false)}) {
    EXPECT_EQ(spelled, "\"\u00e4\u00a0\\\"\\\\\\n\\t\\x01\\x7f\\x85\\u2028\\u2029\"");
    EXPECT_EQ(YAML::Load(spelled).as<std::string>(), value);
  }
}

}  // namespace
}  // namespace tfm
