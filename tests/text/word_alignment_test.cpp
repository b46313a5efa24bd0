#include "tfm/text/word_alignment.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "property.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(PharaohFormat, CanBeParsedAndFormatted) {
  const auto gold = parse_pharaoh("0-0 2-1  10p3", "test");
  EXPECT_THAT(gold.sure, ElementsAre(WordLink{0, 0}, WordLink{2, 1}));
  EXPECT_THAT(gold.possible, ElementsAre(WordLink{10, 3}));
  EXPECT_EQ(format_pharaoh(gold.sure), "0-0 2-1");
  EXPECT_EQ(format_pharaoh({}), "");
}

TEST(ParsePharaoh, ThrowsForMalformedLinks) {
  for (const char* wrong :
       {"1", "1-", "-1", "a-b", "1-2-3", "1:2", "99999999999999999999-0", "0--1"}) {
    EXPECT_THROW(parse_pharaoh(wrong, "test"), DataError) << wrong;
  }
}

TEST(ReadAlignments, ThrowsWithTheLineOfAMalformedLink) {
  const TemporaryFolder folder;
  folder.write("gold.align", "0-0\n\n0-0 x\n");
  try {
    read_alignments(folder.path("gold.align"));
    FAIL();
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("gold.align:3"));
  }
  folder.write("gold.align", "0-0\n\n1-1\n");
  const auto gold = read_alignments(folder.path("gold.align"));
  ASSERT_EQ(gold.size(), 3u) << "an empty line is a sentence without links";
  EXPECT_THAT(gold[1].sure, IsEmpty());
}

TEST(ParseWordLinks, ReturnsAllLinksSortedAndOnce) {
  EXPECT_THAT(parse_word_links("2-1 0p0 0-0 1p2", "test"),
              ElementsAre(WordLink{0, 0}, WordLink{1, 2}, WordLink{2, 1}));
  EXPECT_THAT(parse_word_links("", "test"), IsEmpty());
  EXPECT_THROW(parse_word_links("0-0 1:2", "test"), DataError);
}

TEST(Exchanged, LinksFromTargetToSource) {
  EXPECT_EQ(format_pharaoh(exchanged({{0, 1}, {2, 0}})), "1-0 0-2");
}

std::vector<LinkedWords> linked(const std::string& links, std::size_t most = 3) {
  return linked_words(parse_word_links(links, "test"), most);
}

TEST(LinkedWords, AreWordsWithoutLinksToOthers) {
  EXPECT_THAT(linked("0-1 1-0"),
              ElementsAre(LinkedWords{{0, 1}, {1, 1}}, LinkedWords{{1, 1}, {0, 1}}));
  EXPECT_THAT(linked("0-0 0-1 1-2"),
              ElementsAre(LinkedWords{{0, 1}, {0, 2}}, LinkedWords{{1, 1}, {2, 1}}));
  EXPECT_THAT(linked("0-0 1-0 1-1 2-2"),
              ElementsAre(LinkedWords{{0, 2}, {0, 2}}, LinkedWords{{2, 1}, {2, 1}}));
  EXPECT_THAT(linked("0-0 0-2 1-1"), ElementsAre(LinkedWords{{1, 1}, {1, 1}}))
      << "there is a word between 0 and 2";
  EXPECT_THAT(linked("0-0 0-1 1-2", 1), ElementsAre(LinkedWords{{1, 1}, {2, 1}}));
  EXPECT_THAT(linked(""), IsEmpty());
}

/// The definition of LinkedWords: no link leads out of the ranges, every word has a link, and no
/// part of the group is without links to the rest.
bool is_group(const std::set<WordLink>& links, const LinkedWords& group) {
  std::set<WordLink> within;
  std::set<std::int64_t> sources;
  std::set<std::int64_t> targets;
  for (const WordLink& link : links) {
    if (group.source.contains(link.source) != group.target.contains(link.target)) return false;
    if (!group.source.contains(link.source)) continue;
    within.insert(link);
    sources.insert(link.source);
    targets.insert(link.target);
  }
  if (sources.size() != group.source.count || targets.size() != group.target.count) return false;
  for (std::size_t part = 1; part + 1 < (std::size_t{1} << group.source.count); ++part) {
    const auto is_in_part = [&](const WordLink& link) {
      return (part >> (static_cast<std::size_t>(link.source) - group.source.first) & 1U) != 0;
    };
    const bool is_separate = std::ranges::none_of(within, [&](const WordLink& a) {
      return std::ranges::any_of(within, [&](const WordLink& b) {
        return a.target == b.target && is_in_part(a) && !is_in_part(b);
      });
    });
    if (is_separate) return false;
  }
  return true;
}

TEST(LinkedWords, AreAllGroupsOfTheDefinition) {
  check_property([] {
    constexpr std::size_t words = 5;
    std::set<WordLink> links;
    const auto count = *rc::gen::inRange(0, 8);
    const auto word = rc::gen::inRange<std::int64_t>(0, words);
    for (int i = 0; i < count; ++i) links.insert({*word, *word});
    std::vector<LinkedWords> groups;
    for (std::size_t s = 0; s < words; ++s)
      for (std::size_t m = 1; s + m <= words; ++m)
        for (std::size_t t = 0; t < words; ++t)
          for (std::size_t n = 1; t + n <= words; ++n)
            if (is_group(links, {{s, m}, {t, n}})) groups.push_back({{s, m}, {t, n}});
    RC_ASSERT(linked_words({links.begin(), links.end()}, words) == groups);
  });
}

}  // namespace
}  // namespace tfm
