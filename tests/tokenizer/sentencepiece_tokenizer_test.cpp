#include "tfm/tokenizer/sentencepiece_tokenizer.h"

#include <gmock/gmock.h>

#include <regex>

#include "temporary_folder.h"
#include "text/sample_text.h"
#include "tfm/core/error.h"
#include "tfm/tokenizer/sentencepiece_training.h"

namespace tfm {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Strings = std::vector<std::string>;

SentencePieceTokenizer trained(const Strings& lines, const TokenizerConfig& config) {
  return SentencePieceTokenizer(train_sentencepiece({lines}, config));
}

/// Returns the parts of the text that the tokenizer reports as unknown.
Strings unknown_in(const std::string& text, const SentencePieceTokenizer& tokenizer) {
  Strings unknown;
  tokenizer.encode(text, &unknown);
  return unknown;
}

class TrainedSentencePiece : public testing::TestWithParam<SubwordAlgorithm> {};
INSTANTIATE_TEST_SUITE_P(Algorithms, TrainedSentencePiece,
                         testing::Values(SubwordAlgorithm::bpe, SubwordAlgorithm::unigram),
                         [](const auto& info) {
                           return info.param == SubwordAlgorithm::bpe ? "Bpe" : "Unigram";
                         });

TEST_P(TrainedSentencePiece, HasTheSizeAndSpecialTokensOfTheConfig) {
  TokenizerConfig config = subword_config(GetParam(), 60);
  config.pad_token = "PAD";
  config.unk_token = "<?>";
  const auto tokenizer = trained(sample_text(1), config);
  EXPECT_EQ(tokenizer.size(), 60);
  EXPECT_EQ(tokenizer.special().pad, 0);
  EXPECT_EQ(tokenizer.special().bos, 1);
  EXPECT_EQ(tokenizer.special().eos, 2);
  EXPECT_EQ(tokenizer.special().unk, 3);
  const auto pieces = all_pieces(tokenizer);
  EXPECT_THAT(Strings(pieces.begin(), pieces.begin() + 4),
              ElementsAre("PAD", "<s>", "</s>", "<?>"));
}

TEST_P(TrainedSentencePiece, DecodeRestoresTheText) {
  const auto lines = sample_text(2);
  const auto tokenizer = trained(lines, subword_config(GetParam(), 60));
  for (const std::string& line : lines) {
    const TokenIds ids = tokenizer.encode(line);
    EXPECT_EQ(tokenizer.decode(ids), line);
    EXPECT_LT(ids.size(), line.size()) << "no subword is longer than a character";
    TokenIds padded{tokenizer.special().bos};
    padded.insert(padded.end(), ids.begin(), ids.end());
    padded.insert(padded.end(),
                  {tokenizer.special().unk, tokenizer.special().eos, tokenizer.special().pad});
    EXPECT_EQ(tokenizer.decode(padded), line);
  }
}

TEST_P(TrainedSentencePiece, IsIdenticalForTheSameTextAndConfig) {
  const auto lines = sample_text(3);
  const auto config = subword_config(GetParam(), 60);
  EXPECT_EQ(train_sentencepiece({lines}, config), train_sentencepiece({lines}, config));
}

TEST_P(TrainedSentencePiece, PrintsNothingDuringTrainingAndEncoding) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  trained(sample_text(3), subword_config(GetParam(), 60)).encode("was?");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

std::int64_t size_in(const std::string& message) {
  std::smatch match;
  EXPECT_TRUE(std::regex_search(message, match, std::regex("Set it to (\\d+)"))) << message;
  return match.empty() ? 0 : std::stoll(match.str(1));
}

TEST_P(TrainedSentencePiece, SuggestsTheLargestPossibleVocabSizeIfTheConfigExceedsIt) {
  const auto lines = sample_text(4, 20);
  const std::string too_large =
      message_of<DataError>([&] { trained(lines, subword_config(GetParam(), 8000)); });
  EXPECT_THAT(too_large,
              HasSubstr("tokenizer.vocab_size: the text is too small for a vocabulary of 8000"));
  const auto largest = size_in(too_large);
  EXPECT_EQ(trained(lines, subword_config(GetParam(), largest)).size(), largest);
  EXPECT_THROW(trained(lines, subword_config(GetParam(), largest + 1)), DataError);
}

TEST_P(TrainedSentencePiece, SuggestsTheSmallestPossibleVocabSizeIfTheConfigIsBelowIt) {
  const auto lines = sample_text(4, 20);
  const auto smallest =
      size_in(message_of<DataError>([&] { trained(lines, subword_config(GetParam(), 5)); }));
  EXPECT_EQ(trained(lines, subword_config(GetParam(), smallest)).size(), smallest);
  EXPECT_THROW(trained(lines, subword_config(GetParam(), smallest - 1)), DataError);
}

TEST_P(TrainedSentencePiece, ThrowsIfThereIsNoText) {
  for (const Strings& lines : {Strings{}, Strings{"", "  \t"}, Strings{"\u2585 \u2585"}}) {
    EXPECT_THAT(message_of<DataError>([&] { trained(lines, subword_config(GetParam(), 60)); }),
                HasSubstr("no text"));
  }
}

TEST_P(TrainedSentencePiece, LearnsFromLinesLongerThanTheDefaultLimit) {
  Strings lines = sample_text(5, 50);
  std::string line;
  for (int i = 0; i < 3000; ++i) line += "zyx ";
  lines.push_back(line);
  EXPECT_THAT(unknown_in("zyx", trained(lines, subword_config(GetParam(), 60))), IsEmpty());
}

TEST_P(TrainedSentencePiece, LearnsFromWordsLongerThanSentencePieceAccepts) {
  Strings lines = sample_text(5, 50);
  lines.push_back("q" + std::string(70000, 'x'));
  std::string wide;
  for (int i = 0; i < 30000; ++i) wide += "\u65e5";
  lines.push_back(wide);
  EXPECT_THAT(unknown_in("q\u65e5x", trained(lines, subword_config(GetParam(), 60))), IsEmpty());
}

TEST_P(TrainedSentencePiece, LearnsFromLinesWithTheReservedCharacter) {
  Strings lines = sample_text(6, 50);
  lines.push_back("zyx \u2585 zyx");
  EXPECT_THAT(unknown_in("zyx \u2585", trained(lines, subword_config(GetParam(), 60))),
              ElementsAre("\u2585"));
}

TEST_P(TrainedSentencePiece, ReportsTextThatNoPieceCovers) {
  const auto tokenizer = trained(sample_text(7), subword_config(GetParam(), 60));
  Strings unknown;
  const TokenIds ids = tokenizer.encode("haus \u65e5\u672c bier \u03a9", &unknown);
  EXPECT_THAT(unknown, ElementsAre("\u65e5\u672c", "\u03a9"));
  EXPECT_EQ(std::ranges::count(ids, tokenizer.special().unk), 2);
}

/// Normalization makes three characters of U+00BD, of which the one in the middle is unknown.
TEST_P(TrainedSentencePiece, ReportsAnUnknownPartOfACharacter) {
  Strings lines = sample_text(6, 50);
  lines.emplace_back("1 2 1 2 12 21");
  EXPECT_THAT(unknown_in("1\u00bd2", trained(lines, subword_config(GetParam(), 60))),
              ElementsAre("\u2044"));
}

TEST_P(TrainedSentencePiece, CoversAllCharactersWithByteFallback) {
  TokenizerConfig config = subword_config(GetParam(), 330);
  config.byte_fallback = true;
  const auto tokenizer = trained(sample_text(8), config);
  Strings unknown;
  const std::string text = "haus \u65e5\u672c \U0001F37A";
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(text, &unknown)), text);
  EXPECT_THAT(unknown, IsEmpty());
}

TEST_P(TrainedSentencePiece, NeverEncodesTextAsPaddingBosOrEos) {
  const auto tokenizer = trained(sample_text(9), subword_config(GetParam(), 60));
  const TokenIds ids = tokenizer.encode("<s> </s> <pad>");
  for (const TokenId special : {0, 1, 2}) EXPECT_THAT(ids, Not(Contains(special)));
}

TEST(TrainSentencePiece, ThrowsIfASpecialTokenHasNoName) {
  TokenizerConfig config;
  config.unk_token = "";
  EXPECT_THAT(message_of<ConfigError>([&] { trained(sample_text(1), config); }),
              HasSubstr("tokenizer.unk_token"));
}

TEST(TrainSentencePiece, ReportsTheMessageOfSentencePieceIfTrainingFails) {
  TokenizerConfig config = subword_config(SubwordAlgorithm::bpe, 60);
  config.character_coverage = 0.5;
  EXPECT_THAT(message_of<DataError>([&] { trained(sample_text(1), config); }),
              HasSubstr("character_coverage"));
}

TEST(SentencePieceTokenizer, ThrowsIfTheBytesAreNotAModel) {
  const std::string model =
      train_sentencepiece({sample_text(1)}, subword_config(SubwordAlgorithm::bpe, 60));
  for (const std::string& bytes :
       {std::string(), std::string("word\nlist\n"), model.substr(0, model.size() / 2)}) {
    EXPECT_THAT(message_of<DataError>([&] { SentencePieceTokenizer(bytes, "x.model"); }),
                HasSubstr("x.model: is not a SentencePiece model"));
  }
}

/// SentencePiece cannot build its trie from a piece that starts with NUL, and some of its versions
/// then throw an exception.
TEST(SentencePieceTokenizer, ThrowsIfAPieceStartsWithNul) {
  using std::string_literals::operator""s;
  const std::string bytes =
      "\x0a\x09\x0a\x05<pad>\x18\x03"s + "\x0a\x09\x0a\x05<unk>\x18\x02"s + "\x0a\x05\x0a\x03\0ab"s;
  EXPECT_THROW(SentencePieceTokenizer(bytes, "x.model"), DataError);
}

}  // namespace
}  // namespace tfm
