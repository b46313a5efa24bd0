#include "tfm/tokenizer/vocab.h"

#include <gmock/gmock.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Strings = std::vector<std::string>;

Strings all_tokens(const Vocab& vocab) {
  Strings tokens;
  for (TokenId id = 0; id < vocab.size(); ++id) tokens.push_back(vocab.token(id));
  return tokens;
}

TEST(Vocab, BuildPutsSpecialTokensFirstThenWordsByCountThenByBytes) {
  const Strings lines{"b a c", "c\ta", "  c d ", ""};
  EXPECT_THAT(all_tokens(Vocab::build({lines}, {})),
              ElementsAre("<pad>", "<s>", "</s>", "<unk>", "c", "a", "b", "d"));
}

TEST(Vocab, BuildCountsAllTextsTogether) {
  const Strings source{"x y"};
  const Strings target{"y z z z"};
  EXPECT_THAT(all_tokens(Vocab::build({source, target}, {})),
              ElementsAre("<pad>", "<s>", "</s>", "<unk>", "z", "y", "x"));
}

TEST(Vocab, BuildSkipsRareWordsAndStopsAtTheVocabularySize) {
  const Strings lines{"a a a b b c"};
  TokenizerConfig config;
  config.min_count = 2;
  EXPECT_THAT(all_tokens(Vocab::build({lines}, config)),
              ElementsAre("<pad>", "<s>", "</s>", "<unk>", "a", "b"));
  config.vocab_size = 5;
  EXPECT_THAT(all_tokens(Vocab::build({lines}, config)),
              ElementsAre("<pad>", "<s>", "</s>", "<unk>", "a"));
}

TEST(Vocab, BuildDoesNotRepeatSpecialTokensThatOccurInTheText) {
  const Strings lines{"<s> a <unk>"};
  EXPECT_THAT(all_tokens(Vocab::build({lines}, {})),
              ElementsAre("<pad>", "<s>", "</s>", "<unk>", "a"));
}

TEST(Vocab, FindsSpecialTokensByName) {
  TokenizerConfig names;
  names.pad_token = "P";
  names.bos_token = "S";
  names.eos_token = "E";
  names.unk_token = "";
  const Vocab vocab({"a", "E", "P", "S"}, names);
  EXPECT_EQ(vocab.special().pad, 2);
  EXPECT_EQ(vocab.special().bos, 3);
  EXPECT_EQ(vocab.special().eos, 1);
  EXPECT_EQ(vocab.special().unk, -1);
  EXPECT_EQ(vocab.find("a"), 0);
  EXPECT_EQ(vocab.find("b"), std::nullopt);
  EXPECT_EQ(vocab.find(""), std::nullopt);
}

TEST(Vocab, ReadsWrittenFiles) {
  const TemporaryFolder folder;
  const Strings lines{"größe \u65e5\u672c a\u00a0b"};
  const Vocab vocab = Vocab::build({lines}, {});
  vocab.write(folder.path() / "x.vocab");
  EXPECT_EQ(all_tokens(Vocab::read(folder.path() / "x.vocab", {})), all_tokens(vocab));
  EXPECT_EQ(vocab.size(), 7) << "a no-break space stays inside its word";
}

TEST(Vocab, ReadsFilesWithByteOrderMarkAndCrlf) {
  const TemporaryFolder folder;
  const std::string file = folder.write("x.vocab", "\xEF\xBB\xBF<pad>\r\n<s>\r\n</s>\r\nword");
  EXPECT_THAT(all_tokens(Vocab::read(file, {})), ElementsAre("<pad>", "<s>", "</s>", "word"));
}

TEST(Vocab, ThrowsForADuplicateToken) {
  const TemporaryFolder folder;
  const std::string file = folder.write("x.vocab", "<pad>\na\nb\na\n");
  EXPECT_THAT(message_of<DataError>([&] { Vocab::read(file, {}); }),
              HasSubstr(file + ":4: the token 'a' is already in line 2"));
}

TEST(Vocab, ThrowsForATokenThatIsEmptyOrHasWhiteSpaceOrInvalidUtf8) {
  const TemporaryFolder folder;
  const std::string spaced = folder.write("x.vocab", "<pad>\na b\n");
  EXPECT_THAT(message_of<DataError>([&] { Vocab::read(spaced, {}); }), HasSubstr(spaced + ":2"));
  const std::string empty = folder.write("y.vocab", "<pad>\n\nb\n");
  EXPECT_THAT(message_of<DataError>([&] { Vocab::read(empty, {}); }), HasSubstr(empty + ":2"));
  const std::string binary = folder.write("z.vocab", "<pad>\nok\n\xFF\xFE\n");
  EXPECT_THAT(message_of<DataError>([&] { Vocab::read(binary, {}); }),
              HasSubstr(binary + ":3: is not valid UTF-8"));
}

TEST(Vocab, ThrowsForAListWithoutAPaddingToken) {
  const TemporaryFolder folder;
  const std::string file = folder.write("x.vocab", "a\nb\n");
  EXPECT_THAT(message_of<DataError>([&] { Vocab::read(file, {}); }),
              HasSubstr(file + ": has no padding token '<pad>'"));
}

TEST(Vocab, ThrowsWithTheFileNameIfTheFileIsMissing) {
  EXPECT_THAT(message_of<DataError>([] { Vocab::read("no/such.vocab", {}); }),
              HasSubstr("no/such.vocab"));
}

}  // namespace
}  // namespace tfm
