#include "tfm/data/text_overlap.h"

#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace tfm {
namespace {

ParallelText text(std::vector<std::string> source, std::vector<std::string> target) {
  ParallelText pairs;
  pairs.source = std::move(source);
  pairs.target = std::move(target);
  return pairs;
}

TEST(CountSharedPairs, CountsThePairsOfTheFirstTextThatAreInTheSecond) {
  const auto train = text({"a", "b", "c", "b"}, {"A", "B", "C", "B"});
  EXPECT_EQ(count_shared_pairs(text({"b", "a", "b"}, {"B", "C", "B"}), train), 2);
  EXPECT_EQ(count_shared_pairs(train, train), 4);
  EXPECT_EQ(count_shared_pairs(text({"A"}, {"a"}), train), 0) << "sides are exchanged";
  EXPECT_EQ(count_shared_pairs(text({}, {}), train), 0);
}

TEST(DescribeSharedFiles, NamesTheValidationFilesThatAreTrainingFiles) {
  TemporaryFolder folder;
  const auto source = folder.write("a.de", "");
  const auto target = folder.write("a.en", "");
  const auto link = folder.path("link.de");
  std::filesystem::create_symlink(source, link);
  const ParallelFiles train{.source = source, .target = target, .tsv = {}};
  EXPECT_EQ(describe_shared_files({.source = link, .target = target, .tsv = {}}, train),
            link.string() + " and " + target.string() +
                " are training text, too: scores on them do not show how well the model "
                "translates new text\n  Take some hundred pairs out of the training text, and "
                "validate on these.");
  EXPECT_EQ(
      describe_shared_files(
          {.source = folder.write("b.de", ""), .target = folder.path("none"), .tsv = {}}, train),
      "");
  const ParallelFiles none;
  EXPECT_EQ(describe_shared_files(none, train), "");
  EXPECT_EQ(describe_shared_files({.source = {}, .target = {}, .tsv = source}, train)
                .substr(0, source.string().size() + 4),
            source.string() + " is ");
}

}  // namespace
}  // namespace tfm
