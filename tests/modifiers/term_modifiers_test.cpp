#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "listed_pairs.h"
#include "property.h"
#include "tfm/modifiers/text_modifiers.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::string> symbols{"<s>", "<t>", "</t>", "<num>"};

TextModifiers modifiers_with(std::vector<ModifierSetting> settings) {
  return {std::move(settings),
          {.symbols = symbols, .term_template = {"<s>", "{src}", "<t>", "{trg}", "</t>"}}};
}

/// A text of one pair.
struct Text {
  std::vector<std::string> source;
  std::vector<std::string> target;
  std::vector<std::string> links;

  TextPair after(const TextModifiers& modifiers, std::int64_t epoch = 0) const {
    return modifiers.apply({ListedPairs(source, target, links), 0}, {.seed = 3, .epoch = epoch})
        .pair;
  }
  TextPair after(Modifier modifier, std::int64_t epoch = 0) const {
    return after(modifiers_with({{modifier, 1}}), epoch);
  }
};

const Text german{{"Gestern war es in (Köln) heiß."},
                  {"It was hot in (Cologne) yesterday."},
                  {"0-5 1-1 2-0 3-3 4-4 5-2"}};

TEST(Terms, MarkWordsWithTheirTranslationBeforePunctuation) {
  std::set<std::string> seen;
  for (std::int64_t epoch = 0; epoch < 100; ++epoch) {
    const auto pair = german.after(Modifier::terms, epoch);
    EXPECT_EQ(pair.target, german.target[0]);
    EXPECT_THAT(pair.source, testing::Not(HasSubstr("<s> in <t>"))) << "the same word";
    for (const char* term :
         {"<s> Gestern <t> yesterday </t> war", "<s> war <t> was </t>", "<s> es <t> It </t>",
          "(<s> Köln <t> Cologne </t>)", "<s> heiß <t> hot </t>."})
      if (pair.source.find(term) != std::string::npos) seen.insert(term);
  }
  EXPECT_THAT(seen, testing::SizeIs(5)) << "every term is marked in some epoch";
}

TEST(Terms, AreOneToThree) {
  std::map<std::size_t, int> counts;
  for (std::int64_t epoch = 0; epoch < 300; ++epoch) {
    std::size_t count = 0;
    const auto source = german.after(Modifier::terms, epoch).source;
    for (const auto word : split_words(source)) count += word == "<t>" ? 1 : 0;
    ++counts[count];
  }
  EXPECT_THAT(counts, testing::UnorderedElementsAre(testing::Pair(1U, testing::Gt(50)),
                                                    testing::Pair(2U, testing::Gt(50)),
                                                    testing::Pair(3U, testing::Gt(50))));
}

TEST(Terms, MayHaveSeveralWords) {
  const Text text{{"Die Haustür ist  auf."}, {"The front door is open."}, {"1-1 1-2"}};
  EXPECT_EQ(text.after(Modifier::terms).source, "Die <s> Haustür <t> front door </t> ist  auf.");
  const Text back{text.target, text.source, {"1-1 2-1"}};
  EXPECT_EQ(back.after(Modifier::terms).source, "The <s> front door <t> Haustür </t> is open.");
}

TEST(Terms, AreNotThoseWithLinksToOtherWordsOrWithSymbols) {
  for (const Text& text :
       {Text{{"a b c"}, {"x y z"}, {""}}, Text{{"a b c"}, {"x y z"}, {}},
        Text{{"a b c"}, {"x y z"}, {"0-0 0-2 2-2"}},         // with a gap between the words
        Text{{"a b c d"}, {"x"}, {"0-0 1-0 2-0 3-0"}},       // too many words
        Text{{"a <num> 7"}, {"x <num> 7"}, {"1-1 2-2"}},     // symbols, the same words
        Text{{"a <num>s"}, {"x <num>"}, {"1-1"}},            // a symbol within a word
        Text{{"Ja , gut"}, {"Yes . good"}, {"1-1"}},         // only punctuation
        Text{{"\u201eHaus\u201c ."}, {"Haus !"}, {"0-0"}}})  // the same word in quotes
    EXPECT_EQ(text.after(Modifier::terms).source, text.source[0]) << text.source[0];
}

TEST(Terms, AreReplacedByATemplateWithoutThem) {
  const TextModifiers modifiers({{Modifier::terms, 1}},
                                {.term_template = {"<t>", "{trg}", "</t>"}});
  const Text text{{"ein Hund"}, {"a dog"}, {"1-1"}};
  EXPECT_EQ(text.after(modifiers).source, "ein <t> dog </t>");
}

TEST(RandomTerms, HaveTheSameNoiseInTheSourceAndTheTarget) {
  const Text text{{"Ein Hund läuft."}, {"A dog runs."}, {"1-1"}};
  for (std::int64_t epoch = 0; epoch < 50; ++epoch) {
    const auto [source, target, links] = text.after(Modifier::random_terms, epoch);
    ASSERT_THAT(target, AllOf(testing::StartsWith("A "), testing::EndsWith(" runs.")));
    const auto noise = target.substr(2, target.size() - 8);
    EXPECT_THAT(noise, testing::Not(HasSubstr("dog")));
    EXPECT_EQ(source, "Ein <s> Hund <t> " + noise + " </t> läuft.");
    EXPECT_LE(split_words(noise).size(), 3U);
  }
}

TEST(InlineNoise, IsTheSameAfterATermAndItsTranslation) {
  const Text text{{"Ein Hund."}, {"A dog!"}, {"1-1"}};
  for (std::int64_t epoch = 0; epoch < 50; ++epoch) {
    const auto [source, target, links] = text.after(Modifier::inline_noise, epoch);
    ASSERT_THAT(target, AllOf(testing::StartsWith("A dog "), testing::EndsWith("!")));
    const auto noise = target.substr(6, target.size() - 7);
    EXPECT_EQ(source, "Ein Hund " + noise + ".");
  }
}

/// Returns the pairs of words that the links of a pair link.
std::set<std::pair<std::string, std::string>> linked_texts(const TextPair& pair) {
  const auto sources = split_words(pair.source);
  const auto targets = split_words(pair.target);
  std::set<std::pair<std::string, std::string>> texts;
  for (const auto& [source, target] : pair.links)
    texts.emplace(sources.at(static_cast<std::size_t>(source)),
                  targets.at(static_cast<std::size_t>(target)));
  return texts;
}

/// A text whose words say which of them are linked: a1 with x1, b2 with y2.
struct NamedText {
  std::vector<std::string> source{"a1 b2 c3.", "d4 e5", "f6 g7 h8"};
  std::vector<std::string> target{"z3 x1 y2!", "v4 w5", "s6 t7 u8"};
  std::vector<std::string> links{"0-1 1-2 2-0", "0-0 1-1", "0-0 1-1 2-2"};

  TextPair after(std::vector<ModifierSetting> settings, std::int64_t epoch) const {
    return modifiers_with(std::move(settings))
        .apply({ListedPairs(source, target, links), 0}, {.epoch = epoch})
        .pair;
  }
};

std::string digits_of_word(const std::string& word) {
  std::string digits;
  for (const char c : word)
    if (c >= '0' && c <= '9') digits += c;
  return digits;
}

class LinksAfter : public testing::TestWithParam<Modifier> {};

/// Typos change no digit, so the digit of a word still names it.
TEST_P(LinksAfter, AreBetweenTheSameWords) {
  const NamedText text;
  for (std::int64_t epoch = 0; epoch < 200; ++epoch) {
    const auto pair = text.after({{GetParam(), 1}}, epoch);
    EXPECT_GE(pair.links.size(), needs_alignments(GetParam()) ? 0U : 3U) << "none is lost";
    for (const auto& [source, target] : linked_texts(pair)) {
      if (digits_of_word(source).empty()) continue;  // a part of a word that a typo has divided
      EXPECT_THAT(digits_of_word(source), HasSubstr(digits_of_word(target)))
          << pair.source << " | " << pair.target << ": " << source << " - " << target;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, LinksAfter,
                         testing::Values(Modifier::upper_case, Modifier::title_case,
                                         Modifier::typos, Modifier::remove_punctuation,
                                         Modifier::merge, Modifier::copy, Modifier::prefix,
                                         Modifier::terms, Modifier::random_terms,
                                         Modifier::inline_noise),
                         [](const auto& info) { return std::string(info_of(info.param).name); });

TEST(LinksAfterMerge, AreThoseOfAllPairs) {
  const NamedText text;
  std::size_t most = 0;
  for (std::int64_t epoch = 0; epoch < 20; ++epoch)
    most = std::max(most, linked_texts(text.after({{Modifier::merge, 1}}, epoch)).size());
  EXPECT_EQ(most, 8U);
  const Text chinese{
      {"\u4f60\u597d\u3002", "\u4e16\u754c a"}, {"Hello.", "world b"}, {"0-0", "0-0 1-1"}};
  const auto merged = chinese.after(Modifier::merge);
  EXPECT_THAT(merged.links, testing::ElementsAre(WordLink{0, 0}, WordLink{0, 1}, WordLink{1, 2}))
      << "no space separates the two sentences: " << merged.source;
}

TEST(LinksAfterTerms, LackTheReplacedWords) {
  const Text text{{"ein Hund"}, {"a dog"}, {"1-1"}};
  for (const Modifier modifier : {Modifier::terms, Modifier::random_terms, Modifier::inline_noise})
    EXPECT_THAT(text.after(modifier).links, IsEmpty()) << info_of(modifier).name;
}

TEST(LinksAfterNoise, AreNone) { EXPECT_THAT(german.after(Modifier::noise).links, IsEmpty()); }

TEST(LinksAfterTypos, FollowWordsThatAreDividedOrJoined) {
  const Text text{{"abc def"}, {"x y"}, {"0-0 1-1"}};
  bool is_divided = false;
  bool is_joined = false;
  for (std::int64_t epoch = 0; epoch < 200; ++epoch) {
    const auto pair = text.after(Modifier::typos, epoch);
    const auto words = split_words(pair.source).size();
    if (words == 1)
      EXPECT_THAT(pair.links, testing::ElementsAre(WordLink{0, 0}, WordLink{0, 1}));
    else if (words == 3)
      EXPECT_THAT(pair.links, testing::SizeIs(3)) << pair.source;
    else
      EXPECT_THAT(pair.links, testing::ElementsAre(WordLink{0, 0}, WordLink{1, 1}));
    is_joined = is_joined || words == 1;
    is_divided = is_divided || words == 3;
  }
  EXPECT_TRUE(is_joined && is_divided);
}

/// A pair of up to eight words on each side, with random links.
struct RandomPair {
  Text text;

  static std::string side() {
    const auto word = text_from({"a", "b", "c", "\u00e9", "\u0416", ".", ",", "(", "-", "7"});
    std::string text = "w";
    const auto words = *rc::gen::inRange(0, 8);
    for (int i = 0; i < words; ++i) text += (*rc::gen::inRange(0, 5) == 0 ? "  " : " ") + *word;
    return text;
  }
  static RandomPair draw() {
    RandomPair pair{{{side()}, {side()}, {}}};
    WordAlignment links;
    const auto count = *rc::gen::inRange(0, 10);
    for (int i = 0; i < count; ++i)
      links.push_back(
          {*rc::gen::inRange<std::int64_t>(0, std::ssize(split_words(pair.text.source[0]))),
           *rc::gen::inRange<std::int64_t>(0, std::ssize(split_words(pair.text.target[0])))});
    pair.text.links = {format_pharaoh(links)};
    return pair;
  }
};

/// Removes "<s> ", and " <t> ... </t>", and adds what stood there to `translations`.
std::string without_marks(std::string text, std::vector<std::string>& translations) {
  for (auto at = text.find("<s> "); at != std::string::npos; at = text.find("<s> ")) {
    text.erase(at, 4);
    const auto begin = text.find(" <t> ", at);
    const auto end = text.find(" </t>", begin);
    translations.push_back(text.substr(begin + 5, end - begin - 5));
    text.erase(begin, end + 5 - begin);
  }
  return text;
}

/// Every translation is the text of a group of the target's words, without punctuation around it.
TEST(Terms, LeaveTheSourceAsItIsBesideTheMarks) {
  check_property([] {
    const Text text = RandomPair::draw().text;
    const auto pair = text.after(Modifier::terms, *rc::gen::inRange(0, 100));
    std::vector<std::string> translations;
    RC_ASSERT(without_marks(pair.source, translations) == text.source[0]);
    RC_ASSERT(pair.target == text.target[0]);
    const auto words = split_words(text.target[0]);
    for (const std::string& translation : translations) {
      bool is_group = false;
      for (std::size_t i = 0; i < words.size(); ++i)
        for (std::size_t k = i; k < std::min(words.size(), i + 3); ++k) {
          const std::string_view group(words[i].data(), words[k].data() + words[k].size());
          is_group = is_group || group.find(translation) != std::string_view::npos;
        }
      RC_ASSERT(is_group);
    }
  });
}

/// Marks made after other modifiers, in their place, link the words that the text linked.
TEST(Terms, MarkOnlyLinkedWordsAfterOtherModifiers) {
  const NamedText text;
  for (std::int64_t epoch = 0; epoch < 300; ++epoch) {
    const auto pair = text.after({{Modifier::merge, 0.5},
                                  {Modifier::upper_case, 0.5},
                                  {Modifier::remove_punctuation, 0.5},
                                  {Modifier::prefix, 0.5},
                                  {Modifier::inline_noise, 0.5},
                                  {Modifier::terms, 1}},
                                 epoch);
    const auto words = split_words(pair.source);
    int terms = 0;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] != "<t>") continue;
      ++terms;
      EXPECT_EQ(digits_of_word(std::string(words[i - 1])),
                digits_of_word(std::string(words[i + 1])))
          << pair.source;
    }
    EXPECT_LE(terms, 3);
  }
}

TEST(Terms, DependOnlyOnTheKey) {
  for (std::int64_t epoch = 0; epoch < 20; ++epoch)
    EXPECT_EQ(german.after(Modifier::terms, epoch), german.after(Modifier::terms, epoch));
}

}  // namespace
}  // namespace tfm
