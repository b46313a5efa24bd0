#include "tfm/data/tagged_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Returns the pairs as "de-en <2en>".
std::vector<std::string> pairs(const Config& config) {
  std::vector<std::string> all;
  for (const auto& [languages, tags] : resolve_tagged_pairs(config, "config.yaml"))
    all.push_back(languages.source + "-" + languages.target +
                  (tags.source.empty() ? "" : " " + tags.source));
  return all;
}

Config config_with(const std::vector<std::string>& sets, const std::vector<std::string>& tags) {
  Config config;
  config.data.sets = sets;
  config.data.tags = tags;
  return config;
}

TEST(ResolveTaggedPairs, IsThePairOfAModelWithoutTags) {
  Config config;
  config.data.train_source = "train.de";
  config.data.train_target = "train.en";
  config.decoding.source_tag = "<x>";
  EXPECT_THAT(pairs(config), ElementsAre("de-en <x>"));
}

TEST(ResolveTaggedPairs, AVariantThatTheConfigNamesIsNoPairBesideThatOfTheFiles) {
  auto config = config_with({}, {"valid=<2en>"});
  config.data.train_source = "train.de";
  config.data.train_target = "train.en";
  config.data.valid_source = "val.de";
  config.data.valid_target = "val.en";
  config.data.source_language = "de-AT";
  EXPECT_THAT(pairs(config), ElementsAre("de-AT-en"));
}

TEST(ResolveTaggedPairs, AreThoseOfTheSets) {
  const auto config =
      config_with({"a=a.de.gz,a.en.gz", "de-fr=b.tsv", "en-pt_BR=c.en,c.pt", "gsw_de=d,e"},
                  {"a=<2en>", "de-fr=<2fr>", "en-pt_BR=<2pt>", "gsw_de=<2de>"});
  EXPECT_THAT(pairs(config),
              ElementsAre("de-en <2en>", "de-fr <2fr>", "en-pt-BR <2pt>", "gsw-de <2de>"));
}

TEST(ResolveTaggedPairs, TrustTheFilesMoreThanTheName) {
  EXPECT_THAT(pairs(config_with({"en-de=a.de,a.en"}, {"en-de=<2en>"})), ElementsAre("de-en <2en>"));
  EXPECT_THAT(pairs(config_with({"de-en=a.src,a.tgt"}, {"de-en=<2en>"})),
              ElementsAre("de-en <2en>"))
      << "src and tgt are not languages";
}

TEST(ResolveTaggedPairs, UseTheTagOfGenuineText) {
  const std::vector<std::string> sets{"back=b.de,b.en", "clean=a.de,a.en"};
  EXPECT_THAT(pairs(config_with(sets, {"back=<BT>"})), ElementsAre("de-en"));
  auto config = config_with(sets, {"back=<BT>", "clean=<news>"});
  EXPECT_THAT(pairs(config), ElementsAre("de-en <BT>"));
  config.data.valid_source = "v.de";
  config.data.valid_target = "v.en";
  EXPECT_THAT(pairs(config), ElementsAre("de-en <BT>")) << "no text was trained on without a tag";
  config.data.tags.emplace_back("valid=<news>");
  EXPECT_THAT(pairs(config), ElementsAre("de-en <news>"));
}

TEST(ResolveTaggedPairs, IncludeDirectionsThatAreOnlyValidated) {
  auto config = config_with({"a=a.de,a.en", "b=b.en,b.fr"}, {"a=<2en>", "b=<2fr>", "de-fr=<2fr>"});
  config.data.valid_sets = {"de-fr=v.de,v.fr"};
  EXPECT_THAT(pairs(config), ElementsAre("de-en <2en>", "en-fr <2fr>", "de-fr <2fr>"));
}

TEST(ResolveTaggedPairs, AreLimitedToTheSourceTag) {
  auto config =
      config_with({"a=a.de,a.en", "b=b.en,b.fr", "c=c.de,c.fr"}, {"a=<2en>", "b=<2fr>", "c=<2fr>"});
  config.decoding.source_tag = "<2fr>";
  EXPECT_THAT(pairs(config), ElementsAre("en-fr <2fr>", "de-fr <2fr>"));
  config.decoding.source_tag.clear();
  for (const char* french : {"fr", "fra", "fr-CA", "<2fr>"}) {
    config.decoding.target_language = french;
    EXPECT_THAT(pairs(config), ElementsAre("en-fr <2fr>", "de-fr <2fr>")) << french;
  }
}

TEST(ResolveTaggedPairs, TakeUnknownLanguagesFromTheConfig) {
  auto config = config_with({"clean=a.tsv", "back=b.tsv"}, {"back=<BT>"});
  try {
    pairs(config);
    FAIL() << "there must be an error";
  } catch (const ConfigError& error) {
    const std::string message = error.what();
    EXPECT_THAT(message, HasSubstr("config.yaml: the languages of the set 'clean' (data.sets)"));
    EXPECT_THAT(message, HasSubstr("data.source_language"));
  }
  config.data.source_language = "gsw";
  config.data.target_language = "en";
  EXPECT_THAT(pairs(config), ElementsAre("gsw-en"));
}

TEST(ResolveTaggedPairs, TakeTheLanguagesOfAModelWithOnePairFromTheConfig) {
  auto config = config_with({"a=a.de,a.en", "b=b.de,b.en"}, {"b=<BT>"});
  config.data.source_language = "gsw";
  EXPECT_THAT(pairs(config), ElementsAre("gsw-en"));
}

}  // namespace
}  // namespace tfm
