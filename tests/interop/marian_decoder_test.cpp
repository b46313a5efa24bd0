// Tests that an import from Marian follows the options of Marian's decoder.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "captured_log.h"
#include "imported.h"
#include "tfm/core/error.h"
#include "tfm/interop/marian.h"

namespace tfm {
namespace {

using testing::HasSubstr;

/// Provides a folder with a model, lists as vocabularies, and options of Marian's decoder.
class ImportMarianByDecoderOptions : public testing::Test {
 protected:
  ImportMarianByDecoderOptions() {
    std::filesystem::create_directories(folder.path("opus"));
    std::filesystem::copy(interop_golden("marian_post.npz"), folder.path("opus/best.npz"));
    folder.write("opus/v.yml", list(23));
  }
  static std::string list(int size) {
    std::string text = "</s>: 0\n<unk>: 1\n";
    for (int id = 2; id < size; ++id) text += fmt::format("w{0}: {0}\n", id);
    return text;
  }
  TranslationModel import_with(const std::string& options) {
    folder.write("opus/decoder.yml", options);
    return unwrap(import_marian({.model = folder.path("opus"), .vocabularies = {}}));
  }
  std::string message_for(const std::string& options) {
    return message_of<ModelError>([&] { import_with(options); });
  }

  static constexpr const char* files =
      "relative-paths: true\nmodels: [best.npz]\nvocabs: [v.yml, v.yml]\n";

  TemporaryFolder folder;
};

TEST_F(ImportMarianByDecoderOptions, HasTheSearchAndKeepsDefaultsOfWhatIsNotNamed) {
  const auto named = import_with(files + std::string("beam-size: 7\nnormalize: 0.6\n"));
  EXPECT_EQ(named.config.decoding.beam_size, 7);
  EXPECT_EQ(named.config.decoding.length_penalty, 0.6);
  EXPECT_EQ(named.config.decoding.max_length_factor, DecodingConfig().max_length_factor);
  EXPECT_EQ(named.config.tokenizer.kind, TokenizerKind::word);
  EXPECT_EQ(import_with(files).config.decoding, DecodingConfig());
}

TEST_F(ImportMarianByDecoderOptions, FindsMovedFilesBesideThem) {
  const std::string moved = "models: [/data/opus/best.npz]\nvocabs: [/data/v.yml, /data/v.yml]\n";
  EXPECT_EQ(import_with(moved).tokenizers.source->piece(5), "w5");
  const auto options = folder.write("opus/best.npz.decoder.yml", moved);
  EXPECT_EQ(import_marian({.model = options, .vocabularies = {}}).tokenizers().source->size(), 25);
  const auto other = folder.write("other.yml", list(22));
  EXPECT_EQ(
      import_marian({.model = options, .vocabularies = {other}}).tokenizers().source->piece(22),
      "<unused-22>")
      << "named vocabularies come before those of the options";
}

TEST_F(ImportMarianByDecoderOptions, SegmentsTextWithTheSentencePieceModelsBesideLists) {
  for (const auto& names : {std::vector{"v.spm"}, {"source.spm", "target.spm"}}) {
    for (const auto* name : names)
      folder.write(std::string("opus/") + name, small_sentencepiece(1));
    EXPECT_EQ(import_with(files).config.tokenizer.kind, TokenizerKind::pieces) << names.front();
    std::filesystem::remove(folder.path("opus/v.spm"));
  }
}

TEST_F(ImportMarianByDecoderOptions, WarnsOfThoseThatTfmLacks) {
  const CapturedLog log;
  import_with(files + std::string("word-penalty: 0\nallow-unk: false\nmini-batch: 8\n"));
  EXPECT_EQ(log.text(), "");
  import_with(files + std::string("word-penalty: 0.2\nshortlist: [lex.s2t, 50, 50]\n"));
  EXPECT_THAT(log.text(), HasSubstr("no counterpart of word-penalty, shortlist;"));
}

TEST_F(ImportMarianByDecoderOptions, ThrowsWhenTheyAreMalformedOrNameSeveralModels) {
  EXPECT_THAT(message_for("[]"), HasSubstr("decoder.yml: is not a YAML map"));
  EXPECT_THAT(message_for("a: 1\nbeam-size: wide"), HasSubstr("decoder.yml:2: cannot be read"));
  EXPECT_THAT(message_for("models: [a.npz, b.npz]\nvocabs: [v.yml, v.yml]\n"),
              HasSubstr("decoder.yml: names 2 models"));
  EXPECT_THAT(message_for(files + std::string("beam-size: 0")), HasSubstr("decoding.beam_size"));
}

}  // namespace
}  // namespace tfm
