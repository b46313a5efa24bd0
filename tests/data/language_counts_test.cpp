#include "tfm/data/language_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;

/// Returns how often the word occurs in the text of a language.
std::int64_t count(const LanguageCounts& languages, const std::string& code, const char* word) {
  const auto& counts = languages.at(code).counts();
  const auto found = counts.find(ngram_from(word).value());
  return found == counts.end() ? 0 : found->second;
}

class LanguageCountsTest : public testing::Test {
 protected:
  TemporaryFolder folder;
};

TEST_F(LanguageCountsTest, AreThoseOfTheTwoSidesOfTheText) {
  DataConfig config;
  config.train_source = folder.write("train.de", "ein Ei\n\nzwei\n").string();
  config.train_target = folder.write("train.en", "an egg\nno text before\ntwo\n").string();
  const auto languages = count_languages(config);
  ASSERT_EQ(languages.size(), 2U);
  EXPECT_EQ(count(languages, "de", "ei"), 3);
  EXPECT_EQ(count(languages, "en", " two"), 1);
  EXPECT_EQ(count(languages, "en", " no "), 0) << "a pair without a source is not used";
}

TEST_F(LanguageCountsTest, AreThoseOfAllSetsOfALanguage) {
  DataConfig config;
  const auto write = [this](const char* name) { return folder.write(name, "a b\n").string(); };
  config.sets = {"x=" + write("x.de") + "," + write("x.en"),
                 "en-fr=" + folder.write("y.tsv", "a b\ta c\n").string(),
                 "z=" + folder.write("z.tsv", "a\tb\n").string()};
  const auto languages = count_languages(config);
  ASSERT_EQ(languages.size(), 3U) << "the languages of z are not known";
  EXPECT_EQ(count(languages, "en", "a"), 2);
  EXPECT_EQ(count(languages, "fr", "c"), 1);
}

TEST_F(LanguageCountsTest, HaveTheCodesThatTheModelIsServedFor) {
  DataConfig config;
  config.sets = {"x=" + folder.write("x.de", "a\n").string() + "," +
                 folder.write("x.en", "b\n").string()};
  config.source_language = "de-AT";
  config.target_language = "en-GB";
  EXPECT_THAT(count_languages(config), ElementsAre(Key("de-AT"), Key("en-GB")));
}

TEST_F(LanguageCountsTest, DoNotReadPipesWhichCanBeReadOnlyOnce) {
  DataConfig config;
  config.train_source = folder.path("train.de").string();
  config.train_target = folder.write("train.en", "an egg\n").string();
  ASSERT_EQ(::mkfifo(config.train_source.c_str(), 0600), 0);
  EXPECT_TRUE(count_languages(config).empty());
}

TEST_F(LanguageCountsTest, AreNoneOfAnUnknownLanguage) {
  DataConfig config;
  config.train_source = folder.write("source.txt", "a\n").string();
  config.train_target = folder.write("target.txt", "b\n").string();
  const auto languages = count_languages(config);
  EXPECT_TRUE(languages.empty());
  write_language_counts(folder.path(), languages);
  EXPECT_FALSE(std::filesystem::exists(folder.path(languages_file)));
  EXPECT_TRUE(read_language_counts(folder.path()).empty());
}

TEST_F(LanguageCountsTest, AreReadAsTheyWereWritten) {
  LanguageCounts languages;
  languages["de"].add("Ein \"Ei\" über 漢字.");
  languages["pt-BR"].add("ão");
  write_language_counts(folder.path(), languages);
  const auto read = read_language_counts(folder.path());
  ASSERT_EQ(read.size(), 2U);
  for (const auto& [code, counts] : languages)
    EXPECT_EQ(read.at(code).counts(), counts.counts()) << code;
}

TEST_F(LanguageCountsTest, ThrowIfTheFileIsMalformed) {
  for (const char* text :
       {"", "[1]", "{\"de\": 1}", "{\"de\": {\"a\": \"x\"}}", "{\"de\": {\"a\": -1}}",
        "{\"de\": {\"\": 1}}", "{\"de\": {\"abcde\": 1}}", "{\"de\": {\"a\": 0}}"}) {
    folder.write(languages_file, text);
    const auto message =
        message_of<ModelError>([this] { (void)read_language_counts(folder.path()); });
    EXPECT_THAT(message, HasSubstr("languages.json: is malformed")) << text;
  }
}

}  // namespace
}  // namespace tfm
