#include <gmock/gmock.h>
#include <sentencepiece_trainer.h>

#include "temporary_folder.h"
#include "text/sample_text.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

using Strings = std::vector<std::string>;

TokenizerConfig words(bool joint) {
  TokenizerConfig config;
  config.kind = TokenizerKind::word;
  config.joint = joint;
  return config;
}

TokenizerConfig subwords(bool joint) {
  TokenizerConfig config = subword_config(SubwordAlgorithm::unigram, 60);
  config.joint = joint;
  return config;
}

Strings files_in(const std::filesystem::path& folder) {
  Strings names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  return names;
}

/// Returns a model that was trained by SentencePiece itself, with these options for the ids of the
/// special tokens.
std::string user_model(const std::string& special_ids) {
  class Lines : public sentencepiece::SentenceIterator {
   public:
    bool done() const override { return next_ == text_.size(); }
    void Next() override { ++next_; }
    const std::string& value() const override { return text_[next_]; }
    sentencepiece::util::Status status() const override { return {}; }

   private:
    Strings text_ = sample_text(1);
    std::size_t next_ = 0;
  } lines;
  std::string model;
  const auto status = sentencepiece::SentencePieceTrainer::Train(
      "--model_type=bpe --vocab_size=60 --minloglevel=2 " + special_ids, &lines, &model);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return model;
}

TEST(BuildTokenizers, JointVocabularyIsOneObjectThatCoversBothSides) {
  for (const TokenizerConfig& config : {words(true), subwords(true)}) {
    const auto pair = build_tokenizers(config, {"haus bier xyz"}, sample_text(2));
    EXPECT_TRUE(pair.is_joint());
    Strings unknown;
    pair.target->encode("xyz", &unknown);
    EXPECT_TRUE(unknown.empty());
  }
}

TEST(BuildTokenizers, SeparateVocabulariesCoverOnlyTheirSide) {
  for (const TokenizerConfig& config : {words(false), subwords(false)}) {
    auto source = sample_text(1);
    source.push_back("qqq");
    const auto pair = build_tokenizers(config, source, sample_text(2));
    EXPECT_FALSE(pair.is_joint());
    Strings unknown;
    pair.source->encode("qqq", &unknown);
    EXPECT_TRUE(unknown.empty());
    pair.target->encode("qqq", &unknown);
    EXPECT_THAT(unknown, ElementsAre("qqq"));
  }
}

TEST(LoadTokenizers, RestoresSavedTokenizers) {
  for (const TokenizerConfig& config :
       {words(false), words(true), subwords(false), subwords(true)}) {
    const TemporaryFolder folder;
    const auto saved = build_tokenizers(config, sample_text(1), sample_text(2));
    save_tokenizers(saved, folder.path() / "model");
    const auto loaded = load_tokenizers(config, folder.path() / "model");
    EXPECT_EQ(loaded.is_joint(), config.joint);
    EXPECT_EQ(all_pieces(*loaded.source), all_pieces(*saved.source));
    EXPECT_EQ(all_pieces(*loaded.target), all_pieces(*saved.target));
    for (const std::string& line : sample_text(3, 50))
      EXPECT_EQ(loaded.target->encode(line), saved.target->encode(line));

    save_tokenizers(loaded, folder.path() / "again");
    for (const std::string& name : files_in(folder.path() / "model"))
      EXPECT_EQ(folder.read("again/" + name), folder.read("model/" + name));
  }
}

TEST(SaveTokenizers, NamesFilesByKindAndSide) {
  const TemporaryFolder folder;
  const auto saved_as = [&](const TokenizerConfig& config, const std::string& name) {
    save_tokenizers(build_tokenizers(config, sample_text(1), sample_text(2)), folder.path() / name);
    return files_in(folder.path() / name);
  };
  EXPECT_THAT(saved_as(words(true), "a"), ElementsAre("joint.vocab"));
  EXPECT_THAT(saved_as(words(false), "b"), UnorderedElementsAre("source.vocab", "target.vocab"));
  EXPECT_THAT(saved_as(subwords(true), "c"), ElementsAre("joint.model"));
  EXPECT_THAT(saved_as(subwords(false), "d"), UnorderedElementsAre("source.model", "target.model"));
}

TEST(LoadTokenizers, ThrowsWithTheFileNameIfAFileIsMissingOrCorrupt) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of<ModelError>([&] { load_tokenizers(subwords(true), folder.path()); }),
              HasSubstr("joint.model"));
  folder.write("joint.model", "broken");
  EXPECT_THAT(message_of<ModelError>([&] { load_tokenizers(subwords(true), folder.path()); }),
              HasSubstr("joint.model"));
  folder.write("source.vocab", "<pad>\n");
  EXPECT_THAT(message_of<ModelError>([&] { load_tokenizers(words(false), folder.path()); }),
              HasSubstr("target.vocab"));
  folder.write("target.vocab", "<pad>\n<pad>\n");
  EXPECT_THAT(message_of<ModelError>([&] { load_tokenizers(words(false), folder.path()); }),
              HasSubstr("target.vocab:2"));
}

TEST(BuildTokenizers, ReadsTheVocabularyFilesOfTheToyCorpus) {
  const TemporaryFolder folder;
  TokenizerConfig config = words(false);
  config.source_vocab = folder.write("toy.de", "P\nich\nmochte\nein\nbier\ncola\n");
  config.target_vocab = folder.write("toy.en", "P\ni\nwant\na\nbeer\ncoke\nS\nE\n");
  config.pad_token = "P";
  config.bos_token = "S";
  config.eos_token = "E";
  config.unk_token = "";
  const auto pair = build_tokenizers(config, {}, {});
  EXPECT_THAT(pair.source->encode("ich mochte ein cola"), ElementsAre(1, 2, 3, 5));
  EXPECT_EQ(pair.source->special().bos, -1);
  EXPECT_EQ(pair.target->special().bos, 6);
  EXPECT_EQ(pair.target->special().eos, 7);
  EXPECT_EQ(pair.target->special().unk, -1);
  save_tokenizers(pair, folder.path() / "model");
  EXPECT_EQ(all_pieces(*load_tokenizers(config, folder.path() / "model").target),
            all_pieces(*pair.target));
}

TEST(BuildTokenizers, ThrowsIfTheTargetVocabularyLacksBosOrEos) {
  const TemporaryFolder folder;
  TokenizerConfig config = words(false);
  config.target_vocab = folder.write("target.txt", "<pad>\n<s>\nword\n");
  EXPECT_THAT(message_of<DataError>([&] { build_tokenizers(config, {"a"}, {"b"}); }),
              AllOf(HasSubstr(config.target_vocab), HasSubstr("'</s>'")));
  config.target_vocab = folder.write("target.txt", "<pad>\n</s>\nword\n");
  EXPECT_THAT(message_of<DataError>([&] { build_tokenizers(config, {"a"}, {"b"}); }),
              AllOf(HasSubstr(config.target_vocab), HasSubstr("'<s>'")));
}

TEST(BuildTokenizers, ThrowsIfAJointVocabularyHasTwoFiles) {
  TokenizerConfig config = words(true);
  config.source_vocab = "a.vocab";
  config.target_vocab = "b.vocab";
  EXPECT_THAT(message_of<ConfigError>([&] { build_tokenizers(config, {}, {}); }),
              HasSubstr("tokenizer.joint"));
}

TEST(BuildTokenizers, AcceptsSentencePieceModelsWithOtherSpecialIds) {
  const TemporaryFolder folder;
  TokenizerConfig config = subwords(true);
  config.source_vocab = folder.write(
      "other.model", user_model("--unk_id=0 --bos_id=1 --eos_id=2 --pad_id=3 --pad_piece=[PAD]"));
  const auto pair = build_tokenizers(config, {}, {});
  EXPECT_TRUE(pair.is_joint());
  EXPECT_EQ(pair.target->special().unk, 0);
  EXPECT_EQ(pair.target->special().bos, 1);
  EXPECT_EQ(pair.target->special().eos, 2);
  EXPECT_EQ(pair.target->special().pad, 3);
  EXPECT_EQ(pair.target->piece(3), "[PAD]");
  const std::string line = sample_text(1)[0];
  EXPECT_EQ(pair.source->decode(pair.source->encode(line)), line);
}

TEST(BuildTokenizers, ErrorNamesTheSentencePieceFlagForAMissingSpecialId) {
  const TemporaryFolder folder;
  TokenizerConfig config = subwords(true);
  config.source_vocab = folder.write("nopad.model", user_model("--unk_id=0 --bos_id=1 --eos_id=2"));
  EXPECT_THAT(message_of<DataError>([&] { build_tokenizers(config, {}, {}); }),
              AllOf(HasSubstr("nopad.model"), HasSubstr("--pad_id")));
  config.source_vocab =
      folder.write("noeos.model", user_model("--unk_id=0 --bos_id=1 --eos_id=-1 --pad_id=2"));
  EXPECT_THAT(message_of<DataError>([&] { build_tokenizers(config, {}, {}); }),
              AllOf(HasSubstr("noeos.model"), HasSubstr("--eos_id")));
}

TEST(WordIds, AreEqualForThePiecesOfAWord) {
  const auto text = sample_text(3);
  const auto pair = build_tokenizers(subword_config(SubwordAlgorithm::bpe, 60), text, text);
  const std::string line = "kalomü terhaus enbier.";
  const auto ids = pair.source->encode(line);
  const auto words = word_ids(*pair.source, ids);
  ASSERT_GT(ids.size(), 3u) << "words have several pieces";
  EXPECT_EQ(words.back(), 2);
  for (std::int64_t word = 0; word < 3; ++word) {  // the pieces of each word decode to the word
    TokenIds own;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (words[i] == word) own.push_back(ids[i]);
    }
    const std::array<std::string, 3> expected{"kalomü", "terhaus", "enbier."};
    EXPECT_EQ(pair.source->decode(own), expected[static_cast<std::size_t>(word)]);
  }
  EXPECT_EQ(word_ids(*pair.source, TokenIds(ids.begin() + 1, ids.end())).front(), 0)
      << "a segment may begin within a word";
}

TEST(VocabularyDifference, DescribesTheFirstDifference) {
  const auto of = [](const std::string& line, TokenizerConfig config = words(true)) {
    const Strings lines{line};
    return build_tokenizers(config, lines, lines).source;
  };
  const auto first = of("a a b");
  EXPECT_EQ(vocabulary_difference(*first, *of("a b a")), std::nullopt);
  EXPECT_EQ(vocabulary_difference(*first, *of("a a b c")), "7 tokens, not 6");
  EXPECT_EQ(vocabulary_difference(*first, *of("a a c")), "token 5 is 'c', not 'b'");
  auto renamed = words(true);
  std::swap(renamed.bos_token, renamed.eos_token);
  const auto difference = vocabulary_difference(*first, *of("a a b", renamed)).value();
  EXPECT_THAT(difference, HasSubstr("is '"));
}

TEST(VocabularyDifference, DetectsDifferentSpecialTokens) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "words.vocab";
  std::ofstream(file) << "<pad>\n<s>\n</s>\n<unk>\na\n";
  auto names = words(true);
  names.pad_token = "<pad>", names.bos_token = "<s>", names.eos_token = "</s>";
  names.unk_token = "<unk>";
  names.source_vocab = names.target_vocab = file.string();
  auto swapped = names;
  std::swap(swapped.bos_token, swapped.eos_token);
  EXPECT_EQ(vocabulary_difference(*build_tokenizers(names, {}, {}).source,
                                  *build_tokenizers(swapped, {}, {}).source),
            "its special tokens differ");
}

TEST(FindPiece, FindsTheIdOfAStoredToken) {
  const auto text = sample_text(3);
  const auto pair = build_tokenizers(subword_config(SubwordAlgorithm::bpe, 60), text, text);
  EXPECT_EQ(find_piece(*pair.source, pair.source->piece(7)), 7);
  EXPECT_EQ(find_piece(*pair.source, "no such piece"), std::nullopt);
}

}  // namespace
}  // namespace tfm
