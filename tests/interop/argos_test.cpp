#include "tfm/interop/argos.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "file_size_limit.h"
#include "interop/zip.h"
#include "pieces_model.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class ExportArgos : public testing::Test {
 protected:
  void export_model(const TranslationModel& model) {
    export_argos(model, folder.path("de_en.argosmodel"), "runs/small", "# small\n");
  }
  template <class Exception>
  std::string error_message(const TranslationModel& model) {
    return message_of<Exception>([&] { export_model(model); });
  }
  std::map<std::string, std::string> members() { return unzip(folder.read("de_en.argosmodel")); }

  TemporaryFolder folder;
};

TEST_F(ExportArgos, WritesOneFolderWithTheMembersOfAPackage) {
  export_model(pieces_model());
  const auto found = members();
  std::vector<std::string> names;
  for (const auto& [name, content] : found) names.push_back(name);
  EXPECT_THAT(names,
              testing::ElementsAre("tfm-de_en/README.md", "tfm-de_en/metadata.json",
                                   "tfm-de_en/model/config.json", "tfm-de_en/model/model.bin",
                                   "tfm-de_en/model/shared_vocabulary.json",
                                   "tfm-de_en/sentencepiece.model"));
  const auto metadata = json::parse(found.at("tfm-de_en/metadata.json"));
  EXPECT_EQ(metadata["from_code"], "de");
  EXPECT_EQ(metadata["from_name"], "German");
  EXPECT_EQ(metadata["to_code"], "en");
  EXPECT_EQ(metadata["to_name"], "English");
  EXPECT_EQ(metadata["package_version"], "1.0");
  EXPECT_EQ(found.at("tfm-de_en/sentencepiece.model"), small_sentencepiece(1));
  EXPECT_EQ(found.at("tfm-de_en/README.md"), "# small\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "no temporary files";
}

TEST_F(ExportArgos, WritesBothVocabulariesAndTheSentencePieceModelOfTheSource) {
  export_model(pieces_model([](Config& c) { c.tokenizer.joint = false; }));
  const auto found = members();
  EXPECT_EQ(json::parse(found.at("tfm-de_en/model/target_vocabulary.json")).size(), 60U);
  EXPECT_TRUE(found.contains("tfm-de_en/model/source_vocabulary.json"));
  EXPECT_EQ(found.at("tfm-de_en/sentencepiece.model"), small_sentencepiece(1));
}

TEST_F(ExportArgos, ThrowsWhenTheSourceModelMisreadsAPieceOfTheTarget) {
  auto model = pieces_model([](Config& c) { c.tokenizer.joint = false; });
  auto bytes = subword_config(SubwordAlgorithm::bpe, 320);
  bytes.byte_fallback = true;
  const auto text = sample_text(2);
  model.tokenizers.target =
      std::make_shared<const SentencePieceTokenizer>(train_sentencepiece({text}, bytes));
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  const auto message = error_message<ModelError>(model);
  EXPECT_THAT(message, HasSubstr("misreads '<0x00>' of the target"));
  EXPECT_THAT(message, HasSubstr("tokenizer.joint"));
}

TEST_F(ExportArgos, ThrowsWhenTheVocabularyConsistsOfWords) {
  const auto message = error_message<ModelError>(small_model());
  EXPECT_THAT(message, HasSubstr("tokenizer.kind: word"));
  EXPECT_THAT(message, HasSubstr("--format ctranslate2"));
}

TEST_F(ExportArgos, ThrowsWhenTheSourceBeginsWithATag) {
  EXPECT_THAT(
      error_message<ModelError>(pieces_model([](Config& c) { c.decoding.source_tag = "<2en>"; })),
      HasSubstr("decoding.source_tag: <2en>"));
  EXPECT_THAT(error_message<ModelError>(
                  pieces_model([](Config& c) { c.data.language_tags = LanguageTags::first; })),
              HasSubstr("data.language_tags: first"));
}

TEST_F(ExportArgos, ThrowsOnlyWhenThePairOfThePackageNeedsATag) {
  const auto tagged = [](const char* tag) {
    return pieces_model([tag](Config& c) {
      c.data.sets = {"de-en=a.de,a.en", "en-de=a.en,a.de"};
      c.data.tags = {tag};
    });
  };
  EXPECT_THAT(error_message<ModelError>(tagged("de-en=<2en>")),
              HasSubstr("data.tags: sentences from de to en begin with <2en>"));
  EXPECT_NO_THROW(export_model(tagged("en-de=<2de>")));
}

TEST_F(ExportArgos, ErrorSaysHowToSetALanguageWhenItIsUnknown) {
  const auto message =
      error_message<ConfigError>(pieces_model([](Config& c) { c.data.target_language = ""; }));
  EXPECT_THAT(message, HasSubstr("config.yaml: data.target_language is not set"));
  EXPECT_THAT(message, HasSubstr("such as en"));
}

TEST_F(ExportArgos, LeavesNothingWhenTheFileCannotBeWrittenAndReplacesNothing) {
  const auto model = pieces_model();
  {
    const FileSizeLimit limit(10000);
    EXPECT_THAT(error_message<ModelError>(model), HasSubstr("could not be written completely"));
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
  folder.write("de_en.argosmodel", "mine");
  EXPECT_THAT(error_message<ModelError>(model), HasSubstr("de_en.argosmodel: already exists"));
  EXPECT_EQ(folder.read("de_en.argosmodel"), "mine");
}

}  // namespace
}  // namespace tfm
