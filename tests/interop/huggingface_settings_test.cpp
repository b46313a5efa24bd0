// Tests which settings of generation and which languages an import from Hugging Face reads.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "huggingface_folder.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class ImportHuggingFaceSettings : public HuggingFaceFolder {};

TEST_F(ImportHuggingFaceSettings, ReadsTheLanguagesThatTheTokenizerNames) {
  folder.write("tokenizer_config.json", R"({"source_lang": "de", "target_lang": "pt_BR"})");
  EXPECT_EQ(import().config.data.source_language, "de");
  EXPECT_EQ(import().config.data.target_language, "pt-BR");
  folder.write("tokenizer_config.json", R"({"source_lang": "ROMANCE", "target_lang": null})");
  EXPECT_EQ(import().config.data.source_language, "") << "a group of languages has no code";
  EXPECT_EQ(import().config.data.target_language, "");
  folder.write("tokenizer_config.json", R"({"source_lang": 1})");
  EXPECT_THAT(error_message(), HasSubstr("tokenizer_config.json: has a field of an unexpected"));
}

TEST_F(ImportHuggingFaceSettings, NamesNoTargetLanguageWhenTagsOfSeveralChooseIt) {
  folder.write("tokenizer_config.json", R"({"source_lang": "en", "target_lang": "zle"})");
  tokens[5] = ">>rus<<";
  EXPECT_EQ(import().config.data.target_language, "zle");
  for (const char* other : {">>ukr<<", "<2uk>"}) {
    tokens[6] = other;
    EXPECT_EQ(import().config.data.target_language, "") << other;
  }
  EXPECT_EQ(import().config.data.source_language, "en");
}

TEST_F(ImportHuggingFaceSettings, AcceptsSentencesAsLongAsTheTokenizerAllows) {
  const auto longest = import().config.data.max_length;
  ASSERT_GT(longest, 7);
  for (const auto& [length, expected] :
       {std::pair{"7", std::int64_t{7}}, {"1000000000000000019884624838656", longest}, {"-1", 2}}) {
    folder.write("tokenizer_config.json", fmt::format(R"({{"model_max_length": {}}})", length));
    EXPECT_EQ(import().config.data.max_length, expected);
  }
}

TEST_F(ImportHuggingFaceSettings, KeepsSearchSettingsWithinTheRangesOfTheConfig) {
  import();
  const auto search = [&](const char* settings) {
    folder.write("generation_config.json", settings);
    return import_huggingface(folder.path()).config().decoding;
  };
  EXPECT_EQ(search("{}").length_penalty, 1);
  EXPECT_EQ(search("{}").min_length, 1);
  const auto extreme = search(
      R"({"length_penalty": -2, "max_length": 1, "min_length": 0, "no_repeat_ngram_size": -1})");
  EXPECT_EQ(extreme.length_penalty, 0);
  EXPECT_EQ(extreme.max_length, 1);
  EXPECT_EQ(extreme.min_length, 0);
  EXPECT_EQ(extreme.no_repeat_ngram_size, 0);
}

}  // namespace
}  // namespace tfm
