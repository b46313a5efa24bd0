#include "tfm/translate/postprocessor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/translate/translator.h"
#include "tiny_model.h"

namespace tfm {
namespace {

using testing::HasSubstr;

/// Lines with and without markup. Most of their words are letters in the vocabulary of tiny_model.
const std::vector<std::string> marked{"<p>a <b>b c</b> d</p>",
                                      "a {x}, b",
                                      "<br/>",
                                      "",
                                      "a b &amp; c",
                                      "a b c",
                                      "a < b <i>c d e f g h i j a b c d e f</i>"};

DecodingConfig with_markup(const TranslationModel& model) {
  auto decoding = model.config.decoding;
  decoding.keep_markup = true;
  return decoding;
}

TEST(Postprocessor, PutsTheMarkupIntoEveryCandidateWithoutChangingItsWords) {
  auto model = tiny_model();
  auto decoding = with_markup(model);
  decoding.beam_size = decoding.n_best = 3;
  const auto kept = Translator(model, decoding).translate(marked);
  decoding.keep_markup = false;
  std::vector<std::string> plain;
  for (const auto& line : marked) plain.push_back(MarkedText(line).plain());
  const auto bare = Translator(model, decoding).translate(plain);
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const MarkedText source(marked[i]);
    ASSERT_EQ(kept[i].candidates.size(), bare[i].candidates.size());
    for (std::size_t n = 0; n < kept[i].candidates.size(); ++n) {
      const auto& text = kept[i].candidates[n].text;
      for (const auto& mark : source.marks()) EXPECT_THAT(text, HasSubstr(mark.text));
      std::string without(MarkedText(text).plain());
      auto expected = bare[i].candidates[n].text;
      std::erase(without, ' ');
      std::erase(expected, ' ');
      EXPECT_EQ(without, expected) << text;
    }
  }
  EXPECT_EQ(kept[2].text(), "<br/>");
  EXPECT_EQ(kept[3].text(), "");
  EXPECT_EQ(kept[5].text(), bare[5].text());
  EXPECT_THAT(kept[0].text(),
              testing::AllOf(testing::StartsWith("<p>"), testing::EndsWith("</p>")));
  EXPECT_GT(kept[6].parts, 1);
}

/// Returns a model for which the unknown token is the most probable after every prefix.
TranslationModel unknowing_model() {
  auto model = tiny_model();
  const torch::NoGradGuard no_grad;
  model.network->named_parameters()["output.bias"][model.tokenizers.target->special().unk] = 100;
  return model;
}

TEST(Postprocessor, ReplacesUnknownWordsOnlyWhenConfigured) {
  auto model = unknowing_model();
  auto decoding = model.config.decoding;
  const auto translations = Translator(model, decoding).translate({"zebra"});
  for (const auto& word : translations.front().candidates.front().tokens) EXPECT_NE(word, "<unk>");
  decoding.replace_unknown = true;
  decoding.max_length = 2;
  const auto translation =
      Translator(model, decoding).translate({"zebra"}).front().candidates.front();
  EXPECT_THAT(translation.tokens, testing::ElementsAre("<unk>", "<unk>"));
  EXPECT_EQ(translation.text, "zebra zebra");
  decoding.keep_markup = true;
  EXPECT_EQ(Translator(model, decoding).translate({"<b>zebra</b>"}).front().text(),
            "<b>zebra zebra</b>");
}

TEST(Postprocessor, AlignsTheWordsThatReplaceAnUnknownOne) {
  auto model = unknowing_model();
  const TemporaryFolder folder;
  auto decoding = model.config.decoding;
  decoding.replace_unknown = true;
  decoding.unknown_dictionary = folder.write("words.tsv", "zebra\tstriped horse\n");
  decoding.max_length = 2;
  const auto translation = Translator(model, decoding).translate({"zebra"}, {.alignment = true});
  const auto& candidate = translation.front().candidates.front();
  EXPECT_EQ(candidate.text, "striped horse striped horse");
  EXPECT_EQ(candidate.alignment, (WordAlignment{{0, 0}, {0, 1}, {0, 2}, {0, 3}}));
}

TEST(Postprocessor, ThrowsWhenItShouldReplaceUnknownWordsButTheVocabularyHasNoUnknownToken) {
  auto model = tiny_model();
  model.config.tokenizer.unk_token = "";
  model.tokenizers = build_tokenizers(model.config.tokenizer, {"a b"}, {"a b"});
  auto decoding = model.config.decoding;
  decoding.replace_unknown = true;
  EXPECT_THROW(Translator(model, decoding), ConfigError);
}

}  // namespace
}  // namespace tfm
