#include "tfm/model/model_packing.h"

#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/model/model_folder.h"
#include "tfm/translate/translator.h"
#include "translate/tiny_model.h"

namespace tfm {
namespace {

TEST(ModelPacking, PackedModelTranslatesInInt8LikeTheModel) {
  const TemporaryFolder folder;
  const auto place = folder.path("m");
  auto model = tiny_model();
  model.config.decoding.precision = DecodingPrecision::int8;
  save_config_and_tokenizers(place, model.config, model.tokenizers);
  write_safetensors(place / weights_file, state_dict(*model.network));
  EXPECT_EQ(pack_model(place), place / packed_file);
  auto packed = load_model(place, torch::kCPU);
  ASSERT_TRUE(packed.packed_int8);
  const std::vector<std::string> lines{"a b c", "d", "e f g h"};
  const auto expected = Translator(model, model.config.decoding).translate(lines);
  const auto found = Translator(packed, packed.config.decoding).translate(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(found[i].text(), expected[i].text());
    EXPECT_EQ(found[i].candidates.front().score, expected[i].candidates.front().score);
  }
}

}  // namespace
}  // namespace tfm
