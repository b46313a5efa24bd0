#include "interop/ctranslate2_variables.h"

#include <gtest/gtest.h>

#include "pieces_model.h"

namespace tfm {
namespace {

constexpr const char* bias = "decoder/projection/bias";

TEST(ExcludeSpecialTokens, LowersOnlyTheBiasOfTokensThatAreNeverProduced) {
  const auto model = pieces_model();
  auto variables = ctranslate2_variables(model, "runs/small");
  const auto before = variables.values.at(bias).clone();
  exclude_special_tokens(variables, *model.tokenizers.target);
  const auto& after = variables.values.at(bias);
  const std::vector<int64_t> excluded{0, 1, 3};  // <pad>, <s>, <unk>
  for (const int64_t id : excluded) EXPECT_EQ(after[id].item<float>(), -1e4F);
  EXPECT_TRUE(torch::equal(after[2], before[2]));
  EXPECT_TRUE(torch::equal(after.slice(0, 4), before.slice(0, 4)));
  EXPECT_TRUE(torch::equal(before, state_dict(*model.network).at("output.bias")))
      << "the model itself does not change";
}

TEST(ExcludeSpecialTokens, AddsABiasWhenTheModelHasNone) {
  const auto model = pieces_model([](Config& c) { c.model.tied_embeddings = TiedEmbeddings::all; });
  auto variables = ctranslate2_variables(model, "runs/small");
  ASSERT_FALSE(variables.values.contains(bias));
  exclude_special_tokens(variables, *model.tokenizers.target);
  EXPECT_EQ(variables.values.at(bias).sum().item<float>(), -3e4F);
}

}  // namespace
}  // namespace tfm
