#include "tfm/model/model.h"

#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/model/model_folder.h"
#include "tfm/translate/translator.h"
#include "translate/tiny_model.h"

namespace tfm {
namespace {

class LoadedModel : public testing::Test {
 protected:
  LoadedModel() : original(tiny_model()) {
    save_config_and_tokenizers(folder.path("m"), original.config, original.tokenizers);
    write_safetensors(folder.path("m") / weights_file, state_dict(*original.network));
  }

  TemporaryFolder folder;
  TranslationModel original;
};

TEST_F(LoadedModel, TranslatesLikeTheSavedModel) {
  auto model = Model::load(folder.path("m"), "cpu");
  EXPECT_EQ(model.folder(), folder.path("m"));
  EXPECT_EQ(model.device(), "cpu");
  EXPECT_EQ(model.config(), original.config);
  EXPECT_EQ(model.tokenizers().source->size(), original.tokenizers.source->size());
  const std::vector<std::string> lines{"a b c", "d e"};
  const auto found = Translator(model, model.config().decoding).translate(lines);
  const auto expected = Translator(original, original.config.decoding).translate(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(found[i].text(), expected[i].text());
}

TEST_F(LoadedModel, EnsembleOfTwoCopiesTranslatesLikeOneModel) {
  std::vector<Model> models;
  for (int i = 0; i < 2; ++i) models.push_back(Model::load(folder.path("m"), "cpu"));
  const Translator twins(pointers(models), models.front().config().decoding);
  const Translator alone(original, original.config.decoding);
  EXPECT_EQ(twins.translate({"a b c"}).front().text(), alone.translate({"a b c"}).front().text());
}

TEST_F(LoadedModel, ThrowsWhenTheDeviceIsUnknown) {
  EXPECT_THROW(Model::load(folder.path("m"), "gpu"), ConfigError);
}

}  // namespace
}  // namespace tfm
