#include "tfm/data/language_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

std::string pair(const std::string& source, const std::string& target) {
  DataConfig config;
  config.train_source = source;
  config.train_target = target;
  return language_pair(config);
}

TEST(LanguagePair, ComesFromTheEndingsOfTheFileNames) {
  EXPECT_EQ(pair("data/train.de", "data/train.en"), "de to en");
  EXPECT_EQ(pair("train.ces.gz", "train.eng.gz"), "ces to eng");
}

TEST(LanguagePair, IsEmptyIfTheEndingsAreNotLanguages) {
  EXPECT_EQ(pair("", ""), "");
  EXPECT_EQ(pair("source.txt", "target.txt"), "");
  EXPECT_EQ(pair("train.de", "train.txt"), "");
  EXPECT_EQ(pair("train.de", "train"), "");
  EXPECT_EQ(pair("train.source", "train.target"), "");
  EXPECT_EQ(pair("a.de", "b.de"), "");
}

TEST(ResolveLanguages, PrefersTheLanguagesOfTheConfig) {
  DataConfig config;
  config.train_source = "train.de";
  config.train_target = "train.en";
  config.source_language = "gsw";
  EXPECT_EQ(resolve_languages(config), (LanguagePair{"gsw", "en"}));
  config.target_language = "en-GB";
  EXPECT_EQ(resolve_languages(config), (LanguagePair{"gsw", "en-GB"}));
}

TEST(ResolveLanguages, LeavesUnknownLanguagesEmpty) {
  DataConfig config;
  config.train_source = "source.txt";
  config.target_language = "en";
  EXPECT_EQ(resolve_languages(config), (LanguagePair{"", "en"}));
  EXPECT_EQ(language_pair(config), "");
}

TEST(RequireLanguages, NamesTheFileAndTheFieldWhenALanguageIsUnknown) {
  DataConfig config;
  config.train_source = "train.de";
  config.train_target = "train.en";
  EXPECT_EQ(require_languages(config, "m/config.yaml"), (LanguagePair{"de", "en"}));
  config.train_target = "target.txt";
  EXPECT_THAT(message_of<ConfigError>([&] { require_languages(config, "m/config.yaml"); }),
              testing::HasSubstr("m/config.yaml: data.target_language is not set"));
}

TEST(LanguageName, IsEnglishAndNamesTheVariant) {
  EXPECT_EQ(language_name("de"), "German");
  EXPECT_EQ(language_name("pt-BR"), "Portuguese (BR)");
  EXPECT_EQ(language_name("zu"), "zu") << "an unknown name is the code";
}

}  // namespace
}  // namespace tfm
