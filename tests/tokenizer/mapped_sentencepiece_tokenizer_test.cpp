#include "tfm/tokenizer/mapped_sentencepiece_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "temporary_folder.h"
#include "text/sample_text.h"
#include "tfm/core/error.h"
#include "tfm/tokenizer/sentencepiece_tokenizer.h"
#include "tfm/tokenizer/sentencepiece_training.h"

namespace tfm {
namespace {

using testing::HasSubstr;

const std::string& trained_model() {
  static const auto text = sample_text(1);
  static const std::string model =
      train_sentencepiece({text}, subword_config(SubwordAlgorithm::bpe, 60));
  return model;
}

/// Returns the tokens, followed by the pieces of the model in reverse order, without the model's
/// special tokens.
std::vector<std::string> reversed_pieces(std::vector<std::string> tokens) {
  const SentencePieceTokenizer tokenizer(trained_model());
  for (TokenId id = static_cast<TokenId>(tokenizer.size()) - 1; id > 3; --id)
    tokens.push_back(tokenizer.piece(id));
  return tokens;
}

TEST(MappedSentencePieceTokenizer, GivesPiecesTheIdsOfTheList) {
  const MappedSentencePieceTokenizer tokenizer(
      trained_model(),
      Vocab(reversed_pieces({"</s>", "<unk>", "<pad>", "<s>"}), TokenizerConfig()));
  const SentencePieceTokenizer segmenter(trained_model());
  for (const auto& line : sample_text(5, 20)) {
    std::vector<std::string> expected;
    for (const TokenId id : segmenter.encode(line)) expected.push_back(segmenter.piece(id));
    std::vector<std::string> found;
    for (const TokenId id : tokenizer.encode(line)) found.push_back(tokenizer.piece(id));
    EXPECT_EQ(found, expected);
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(line)), line);
  }
  EXPECT_EQ(tokenizer.special().eos, 0);
  EXPECT_EQ(tokenizer.special().bos, 3);
}

TEST(MappedSentencePieceTokenizer, EncodesPiecesOutsideTheListAsUnknown) {
  const MappedSentencePieceTokenizer tokenizer(
      trained_model(), Vocab({"</s>", "<unk>", "<pad>", "<s>"}, TokenizerConfig()));
  std::vector<std::string> unknown;
  const auto ids = tokenizer.encode("haus", &unknown);
  ASSERT_FALSE(ids.empty());
  EXPECT_TRUE(std::ranges::all_of(ids, [](TokenId id) { return id == 1; }));
  EXPECT_EQ(unknown.size(), ids.size());
}

TEST(MappedSentencePieceTokenizer, RecognisesALanguageTagOnlyAtTheStart) {
  const MappedSentencePieceTokenizer tokenizer(
      trained_model(),
      Vocab(reversed_pieces({"</s>", "<unk>", "<pad>", "<s>", ">>fra<<"}), TokenizerConfig()));
  const auto ids = tokenizer.encode(">>fra<< haus");
  EXPECT_EQ(ids.front(), 4);
  EXPECT_EQ(TokenIds(ids.begin() + 1, ids.end()), tokenizer.encode("haus"));
  for (const char* text : {"haus >>fra<<", ">>deu<< haus", ">>", ">> fra<<", ""}) {
    const auto others = tokenizer.encode(text);
    EXPECT_EQ(std::ranges::count(others, 4), 0) << text;
  }
}

TEST(MappedSentencePieceTokenizer, NeverEncodesTextAsPaddingBosOrEos) {
  const MappedSentencePieceTokenizer tokenizer(
      trained_model(),
      Vocab(reversed_pieces({"other", "<unk>", "<pad>", "</s>", "<s>"}), TokenizerConfig()));
  for (const char* text : {"<pad>", "</s>", "<s>"}) {
    for (const TokenId id : tokenizer.encode(text)) EXPECT_TRUE(id == 1 || id > 4) << text;
  }
}

TEST(MappedSentencePieceTokenizer, DecodesPiecesThatTheModelDoesNotKnow) {
  const MappedSentencePieceTokenizer tokenizer(
      trained_model(),
      Vocab({"</s>", "<unk>", "<pad>", "<s>", "\u2581straße", "n"}, TokenizerConfig()));
  EXPECT_EQ(tokenizer.decode(TokenIds{3, 4, 5, 4, 0}), "straßen straße");
}

TEST(MappedSentencePieceTokenizer, ReadsSavedFiles) {
  const TemporaryFolder folder;
  const MappedSentencePieceTokenizer tokenizer(
      trained_model(),
      Vocab(reversed_pieces({"</s>", "<unk>", "<pad>", "<s>"}), TokenizerConfig()));
  tokenizer.save(folder.path(), "source");
  const auto read =
      MappedSentencePieceTokenizer::read(folder.path("source.model"), TokenizerConfig());
  EXPECT_EQ(read->encode("haus bier"), tokenizer.encode("haus bier"));
  EXPECT_EQ(folder.read("source.model"), trained_model());
  folder.write("source.model", "no model");
  EXPECT_THAT(message_of<DataError>([&] {
                MappedSentencePieceTokenizer::read(folder.path("source.model"), TokenizerConfig());
              }),
              HasSubstr("not a SentencePiece model"));
  EXPECT_THAT(message_of<DataError>([&] {
                MappedSentencePieceTokenizer::read(folder.path("none.model"), TokenizerConfig());
              }),
              HasSubstr("none.vocab"));
}

TEST(MappedSentencePieceTokenizer, JointVocabularyRequiresEqualLists) {
  const TemporaryFolder folder;
  TokenizerConfig config;
  config.kind = TokenizerKind::pieces;
  const std::vector<std::string> tokens{"</s>", "<unk>", "<pad>", "<s>", "a"};
  for (const char* side : {"source", "target"})
    MappedSentencePieceTokenizer(trained_model(), Vocab(tokens, config)).save(folder.path(), side);
  config.source_vocab = folder.path("source.model").string();
  config.target_vocab = folder.path("target.model").string();
  EXPECT_EQ(build_tokenizers(config, {}, {}).target->size(), 5);
  EXPECT_EQ(load_tokenizers(config, folder.path()).source->size(), 5);
  folder.write("target.vocab", "</s>\n<unk>\n<pad>\n<s>\nb\n");
  EXPECT_THAT(message_of<ModelError>([&] { load_tokenizers(config, folder.path()); }),
              HasSubstr("lists of source and target differ"));
  config.joint = false;
  EXPECT_EQ(load_tokenizers(config, folder.path()).target->piece(4), "b");
}

TEST(MappedSentencePieceTokenizer, BuildTokenizersThrowsIfNoFileIsNamed) {
  TokenizerConfig config;
  config.kind = TokenizerKind::pieces;
  EXPECT_THAT(message_of<ConfigError>([&] { build_tokenizers(config, {"a"}, {"b"}); }),
              HasSubstr("tokenizer.source_vocab"));
}

}  // namespace
}  // namespace tfm
