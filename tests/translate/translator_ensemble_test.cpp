// Tests of a Translator with an ensemble of models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_lines.h"
#include "tfm/core/error.h"
#include "tfm/translate/translator.h"
#include "tiny_model.h"

namespace tfm {
namespace {

TEST(TranslatorEnsemble, TranslatesLikeASingleModelWhenAllMembersAreEqual) {
  auto model = tiny_model(1);
  auto twin = tiny_model(1);
  auto other = tiny_model(2);
  const auto lines = random_lines(20, 5);
  const auto alone = Translator(model, model.config.decoding).translate(lines);
  for (const auto mean : {EnsembleMean::probabilities, EnsembleMean::log_probabilities}) {
    auto decoding = model.config.decoding;
    decoding.ensemble_mean = mean;
    const auto twins = Translator({&model, &twin}, decoding).translate(lines);
    EXPECT_EQ(texts(twins), texts(alone));
    const auto pair = texts(Translator({&model, &other}, decoding).translate(lines));
    EXPECT_EQ(pair, texts(Translator({&other, &model}, decoding).translate(lines)))
        << "the order does not matter";
    EXPECT_NE(pair, texts(alone));
  }
}

TEST(TranslatorEnsemble, ThrowsWhenVocabulariesDifferOrThereIsNoModel) {
  auto model = tiny_model();
  auto larger = tiny_model();
  const std::vector<std::string> words{"a b c d e f g h i j k"};
  larger.tokenizers = build_tokenizers(larger.config.tokenizer, words, words);
  EXPECT_THROW(Translator({&model, &larger}, model.config.decoding), ModelError);
  auto other = tiny_model();
  const std::vector<std::string> letters{"a b c d e f g h i z"};
  other.tokenizers = build_tokenizers(other.config.tokenizer, letters, letters);
  try {
    Translator({&model, &other}, model.config.decoding);
    ADD_FAILURE() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("model 2"));
    EXPECT_THAT(error.what(), testing::HasSubstr("not 'j'"));
  }
  EXPECT_THROW(Translator(std::vector<TranslationModel*>{}, model.config.decoding), ModelError);
}

}  // namespace
}  // namespace tfm
