#include "tfm/modifiers/text_modifiers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "listed_pairs.h"
#include "property.h"
#include "tfm/text/sentences.h"
#include "tfm/text/utf8.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

const std::vector<std::string> sources{
    "Zwei junge Männer sind im Freien.",  "Ein Hund läuft über <num> Wiesen!",
    "Der Zug um 12:30 hat 45 Minuten.",   "你好，世界。",
    "ein kleines Mädchen klettert herum", "Straße Nr. 7 ist gesperrt ...",
};
const std::vector<std::string> targets{
    "Two young guys are outside.",      "A dog runs across <num> meadows!",
    "The 12:30 train takes 45 minutes", "Hello world.",
    "a little girl climbs around",      "Road No. 7 is closed ...",
};

const std::vector<std::string> alignments{
    "0-0 1-1 2-2 3-3 4-4 5-4", "0-0 1-1 2-2 3-3 4-4 5-5", "0-0 1-2 3-1 4-3 5-4 6-5", "0-0 0-1",
    "0-0 1-1 2-2 3-3 4-4",     "0-0 1-1 2-2 3-3 4-4 5-5",
};

TextModifiers only(Modifier modifier, double probability = 1) {
  return {{{modifier, probability}},
          {.symbols = {"<num>", "<s>", "<t>", "</t>"},
           .term_template = {"<s>", "{src}", "<t>", "{trg}", "</t>"}}};
}

ModifiedPair apply(const TextModifiers& modifiers, std::size_t pair, std::int64_t epoch = 0,
                   std::uint64_t seed = 1) {
  return modifiers.apply({ListedPairs(sources, targets, alignments), pair},
                         {.seed = seed, .epoch = epoch, .text = 0, .pair = pair});
}

TextPair original(std::size_t pair) {
  return {sources[pair], targets[pair], parse_word_links(alignments[pair], "test")};
}

TEST(TextModifiers, UpperCaseKeepsSymbols) {
  EXPECT_EQ(apply(only(Modifier::upper_case), 1).pair,
            (TextPair{"EIN HUND LÄUFT ÜBER <num> WIESEN!", "A DOG RUNS ACROSS <num> MEADOWS!",
                      original(1).links}));
  EXPECT_EQ(apply(only(Modifier::upper_case), 5).pair.source, "STRASSE NR. 7 IST GESPERRT ...");
}

TEST(TextModifiers, TitleCaseKeepsSymbols) {
  EXPECT_EQ(apply(only(Modifier::title_case), 1).pair,
            (TextPair{"Ein Hund Läuft Über <num> Wiesen!", "A Dog Runs Across <num> Meadows!",
                      original(1).links}));
}

TEST(TextModifiers, CaseFollowsTheLanguageOfEachSide) {
  const std::vector<std::string> turkish{"istanbul"};
  const std::vector<std::string> english{"istanbul"};
  const ListedPairs text(turkish, english);
  const PairInText pair{.text = text, .index = 0, .source_i = DottedI::turkic};
  EXPECT_EQ(only(Modifier::upper_case).apply(pair, {}).pair, (TextPair{"İSTANBUL", "ISTANBUL"}));
}

TEST(TextModifiers, RemovesFinalPunctuationIfBothSidesHaveSome) {
  const auto modifiers = only(Modifier::remove_punctuation);
  EXPECT_EQ(apply(modifiers, 0).pair, (TextPair{"Zwei junge Männer sind im Freien",
                                                "Two young guys are outside", original(0).links}));
  EXPECT_EQ(apply(modifiers, 3).pair, (TextPair{"你好，世界", "Hello world", {{0, 0}, {0, 1}}}));
  EXPECT_EQ(apply(modifiers, 5).pair, (TextPair{"Straße Nr. 7 ist gesperrt",
                                                "Road No. 7 is closed",
                                                {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}}))
      << "the last word is gone, and its link, too";
  EXPECT_EQ(apply(modifiers, 2).pair, original(2)) << "the target has none";
  EXPECT_THAT(apply(modifiers, 2).changed_by, testing::IsEmpty());
  const std::vector<std::string> dots{"..."};
  EXPECT_EQ(modifiers.apply({ListedPairs(dots, dots), 0}, {}).pair, (TextPair{"...", "..."}));
}

TEST(TextModifiers, MergesWithThePairsThatFollow) {
  const auto modifiers = only(Modifier::merge);
  std::map<std::ptrdiff_t, int> lengths;
  for (std::int64_t epoch = 0; epoch < 60; ++epoch) {
    const auto merged = apply(modifiers, 0, epoch).pair;
    std::string source = sources[0];
    std::string target = targets[0];
    std::ptrdiff_t pairs = 1;
    for (; source != merged.source && pairs < 4; ++pairs) {
      source += sentence_separator(source, " ", sources[static_cast<std::size_t>(pairs)]) +
                sources[static_cast<std::size_t>(pairs)];
      target += " " + targets[static_cast<std::size_t>(pairs)];
    }
    EXPECT_EQ(merged.source, source) << "both sides of the same pairs";
    EXPECT_EQ(merged.target, target);
    ++lengths[pairs];
  }
  EXPECT_THAT(lengths, testing::SizeIs(3)) << "two, three or four pairs";
  EXPECT_EQ(lengths.begin()->first, 2);
  EXPECT_EQ(apply(modifiers, sources.size() - 1).pair, original(sources.size() - 1));
}

TEST(TextModifiers, NoiseIsTheSameOnBothSides) {
  for (std::int64_t epoch = 0; epoch < 200; ++epoch) {
    const auto noise = apply(only(Modifier::noise), 0, epoch).pair;
    EXPECT_EQ(noise.source, noise.target);
    EXPECT_FALSE(is_blank(noise.source));
    EXPECT_FALSE(invalid_utf8(noise.source)) << noise.source;
    EXPECT_LE(split_words(noise.source).size(), 6U);
  }
}

TEST(TextModifiers, CopyAppendsTheSameTextToBothSides) {
  for (std::int64_t epoch = 0; epoch < 200; ++epoch) {
    const auto copied = apply(only(Modifier::copy), 0, epoch).pair;
    ASSERT_TRUE(copied.source.starts_with(sources[0] + " ")) << copied.source;
    ASSERT_TRUE(copied.target.starts_with(targets[0] + " "));
    const auto added = copied.source.substr(sources[0].size());
    EXPECT_EQ(added, copied.target.substr(targets[0].size()));
    EXPECT_EQ(split_words(added).size(), 1U);
    EXPECT_FALSE(invalid_utf8(added)) << added;
  }
}

TEST(TextModifiers, PrefixIsASpanOfTheTarget) {
  std::map<std::size_t, int> lengths;
  for (std::int64_t epoch = 0; epoch < 100; ++epoch) {
    const auto marked = apply(only(Modifier::prefix), 1, epoch).pair;
    EXPECT_EQ(marked.target, targets[1]);
    const std::string end = " __end__ " + sources[1];
    ASSERT_TRUE(marked.source.starts_with("__start__ ")) << marked.source;
    ASSERT_TRUE(marked.source.ends_with(end)) << marked.source;
    const auto span = marked.source.substr(10, marked.source.size() - 10 - end.size());
    EXPECT_NE(targets[1].find(span), std::string::npos) << span;
    ++lengths[split_words(span).size()];
  }
  EXPECT_THAT(lengths, testing::SizeIs(4));
  EXPECT_EQ(lengths.begin()->first, 2U);
  const std::vector<std::string> one_word{"Hallo!"};
  EXPECT_EQ(only(Modifier::prefix).apply({ListedPairs(one_word, one_word), 0}, {}).pair.source,
            "Hallo!");
}

std::string digits_in(const std::string& text) {
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits),
                       [](char c) { return c >= '0' && c <= '9'; });
  return digits;
}

std::size_t count_characters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

TEST(TextModifiers, TyposChangeOnlyTheSourceAndNoDigitOrSymbol) {
  for (std::size_t pair = 0; pair < sources.size(); ++pair) {
    std::size_t changed = 0;
    for (std::int64_t epoch = 0; epoch < 300; ++epoch) {
      const auto typed = apply(only(Modifier::typos), pair, epoch).pair;
      EXPECT_EQ(typed.target, targets[pair]);
      EXPECT_EQ(digits_in(typed.source), digits_in(sources[pair])) << typed.source;
      EXPECT_EQ(typed.source.find("<num>") != std::string::npos, pair == 1) << typed.source;
      EXPECT_FALSE(invalid_utf8(typed.source));
      const auto before = static_cast<double>(count_characters(sources[pair]));
      EXPECT_NEAR(static_cast<double>(count_characters(typed.source)), before, 1)
          << "texts of less than ten words have one typo: " << typed.source;
      changed += typed.source != sources[pair] ? 1 : 0;
    }
    EXPECT_GT(changed, 290U) << sources[pair];
  }
}

TEST(TextModifiers, LongTextsHaveMoreTypos) {
  std::string many;
  for (int i = 0; i < 100; ++i) many += "wort ";
  const std::vector<std::string> long_text{many};
  std::size_t most = 0;
  for (std::int64_t epoch = 0; epoch < 50; ++epoch) {
    const auto typed = only(Modifier::typos)
                           .apply({ListedPairs(long_text, long_text), 0}, {.epoch = epoch})
                           .pair.source;
    std::size_t wrong = 0;
    for (const auto word : split_words(typed)) wrong += word != "wort" ? 1 : 0;
    most = std::max(most, wrong);
  }
  EXPECT_GT(most, 5U);
  EXPECT_LE(most, 2 * 11U) << "eleven typos, of which each changes two words at most";
}

TEST(TextModifiers, DependOnlyOnTheKeyAndNotOnTheOrderOfCalls) {
  const TextModifiers modifiers({{Modifier::typos, 0.5}, {Modifier::copy, 0.5}}, {});
  std::vector<ModifiedPair> forward;
  for (std::size_t i = 0; i < sources.size(); ++i) forward.push_back(apply(modifiers, i, 3));
  for (std::size_t i = sources.size(); i-- > 0;) {
    EXPECT_EQ(apply(modifiers, i, 3).pair, forward[i].pair);
    EXPECT_EQ(apply(modifiers, i, 3).changed_by, forward[i].changed_by);
  }
}

TEST(TextModifiers, DoNotDependOnOtherModifiersOfTheList) {
  const TextModifiers both({{Modifier::upper_case, 0.5}, {Modifier::copy, 0.5}}, {});
  const auto copy = only(Modifier::copy, 0.5);
  for (std::int64_t epoch = 0; epoch < 50; ++epoch) {
    const auto alone = apply(copy, 0, epoch).pair;
    const auto pair = apply(both, 0, epoch).pair;
    EXPECT_EQ(alone.source.substr(sources[0].size()), pair.source.substr(sources[0].size()));
  }
}

TEST(TextModifiers, AreAppliedInTheOrderOfTheList) {
  const std::vector<std::string> text{"ab c"};
  const auto first = TextModifiers({{Modifier::upper_case, 1}, {Modifier::title_case, 1}}, {});
  const auto second = TextModifiers({{Modifier::title_case, 1}, {Modifier::upper_case, 1}}, {});
  EXPECT_EQ(first.apply({ListedPairs(text, text), 0}, {}).pair.source, "Ab C");
  EXPECT_EQ(second.apply({ListedPairs(text, text), 0}, {}).pair.source, "AB C");
  EXPECT_THAT(first.apply({ListedPairs(text, text), 0}, {}).changed_by,
              testing::ElementsAre(Modifier::upper_case, Modifier::title_case));
}

TEST(TextModifiers, ChangeWhatTheModifiersBeforeThemMade) {
  const TextModifiers both({{Modifier::upper_case, 1}, {Modifier::copy, 1}}, {});
  const auto pair = apply(both, 0).pair;
  EXPECT_TRUE(pair.source.starts_with("ZWEI JUNGE MÄNNER SIND IM FREIEN. ")) << pair.source;
  EXPECT_EQ(pair.source.substr(sources[0].size()),
            apply(only(Modifier::copy), 0).pair.source.substr(sources[0].size()));
}

/// Two modifiers of probability 0.5 both change 1,000 of 4,000 pairs on average, with a standard
/// deviation of 27. The test allows five.
TEST(TextModifiers, AreIndependentOfEachOther) {
  const TextModifiers both({{Modifier::upper_case, 0.5}, {Modifier::copy, 0.5}}, {});
  int changed_by_both = 0;
  for (std::int64_t epoch = 0; epoch < 4000; ++epoch)
    changed_by_both += apply(both, 0, epoch).changed_by.size() == 2 ? 1 : 0;
  EXPECT_NEAR(changed_by_both, 1000, 137);
}

class EachModifier : public testing::TestWithParam<ModifierInfo> {};

TEST_P(EachModifier, ChangesNothingWithProbabilityZero) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::int64_t epoch = 0; epoch < 50; ++epoch)
      EXPECT_EQ(apply(only(GetParam().modifier, 0), i, epoch).pair, original(i));
  }
}

TEST_P(EachModifier, ChangesEveryPairThatItFitsWithProbabilityOne) {
  for (std::int64_t epoch = 0; epoch < 50; ++epoch)
    EXPECT_THAT(apply(only(GetParam().modifier), 1, epoch).changed_by,
                testing::ElementsAre(GetParam().modifier));
}

/// 20,000 keys and a probability of 0.1: the statistic of a chi-square test with one degree of
/// freedom exceeds 10.8 once in a thousand seeds. Neither seeds, epochs, texts nor pairs matter.
TEST_P(EachModifier, ChangesPairsAsOftenAsItsProbability) {
  const auto modifiers = only(GetParam().modifier, 0.1);
  using Key = std::function<PairKey(std::size_t)>;
  for (const Key& key : {Key([](std::size_t i) { return PairKey{.seed = i}; }),
                         Key([](std::size_t i) { return PairKey{.epoch = std::int64_t(i)}; }),
                         Key([](std::size_t i) { return PairKey{.text = i}; }),
                         Key([](std::size_t i) { return PairKey{.pair = i}; })}) {
    constexpr double keys = 20'000;
    const ListedPairs text(sources, targets, alignments);
    double changed = 0;
    for (std::size_t i = 0; i < std::size_t(keys); ++i) {
      const bool is_changed = !modifiers.apply({text, 0}, key(i)).changed_by.empty();
      changed += is_changed ? 1 : 0;
      EXPECT_TRUE(!is_changed || modifiers.may_change(key(i)));
    }
    const double expected = 0.1 * keys;
    const double statistic = (changed - expected) * (changed - expected) / (0.9 * expected);
    EXPECT_LT(statistic, 10.8) << changed;
  }
}

/// Draws links between the words of a pair.
std::string random_links(const std::string& source, const std::string& target) {
  const auto word = [](const std::string& side) {
    return *rc::gen::inRange<std::int64_t>(0, std::ssize(split_words(side)));
  };
  WordAlignment links;
  const auto count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i) links.push_back({word(source), word(target)});
  return format_pharaoh(links);
}

/// Both sides stay usable: valid, not blank and on one line.
TEST_P(EachModifier, LeavesUsableText) {
  check_property([modifier = GetParam().modifier] {
    const auto part = text_from({"a", "B", "ß", "é", "e\u0301", ".", "!", "...", " ", "  ", "12",
                                 "<num>", "\u4f60", "\u3002", "\u0438", "\U0001F600", "-"});
    std::vector<std::string> source;
    std::vector<std::string> target;
    std::vector<std::string> links;
    for (int i = 0; i < 3; ++i) {
      source.push_back(*part + "x");
      target.push_back("y" + *part);
      links.push_back(random_links(source.back(), target.back()));
    }
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto pair = *rc::gen::inRange<std::size_t>(0, 3);
    const ListedPairs text(source, target, links);
    const auto changed = only(modifier).apply({text, pair}, {.seed = seed}).pair;
    for (const auto& [from, to] : changed.links) {
      RC_ASSERT(from < std::ssize(split_words(changed.source)));
      RC_ASSERT(to < std::ssize(split_words(changed.target)));
    }
    for (const std::string& side : {changed.source, changed.target}) {
      RC_ASSERT(!is_blank(side));
      RC_ASSERT(!invalid_utf8(side));
      RC_ASSERT(side.find_first_of("\n\r\t") == std::string::npos);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, EachModifier, testing::ValuesIn(known_modifiers),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tfm
