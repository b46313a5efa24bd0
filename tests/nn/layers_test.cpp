#include "tfm/nn/layers.h"

#include <gtest/gtest.h>

#include "model_fixture.h"
#include "temporary_folder.h"
#include "tfm/nn/transformer.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {
namespace {

ModelConfig all_parts() {
  ModelConfig config;
  config.encoder_layers = 1;
  config.decoder_layers = 1;
  config.hidden_size = 16;
  config.transformer_ff = 24;
  config.heads = 2;
  config.positions = Positions::learned;
  config.activation = Activation::swiglu;
  config.tied_embeddings = TiedEmbeddings::none;
  return config;
}

const VocabSizes vocab{.source = 11, .target = 13, .source_pad = 0, .target_pad = 0};

TEST(InitialWeights, UninitializedModelHasAllParametersWithTheirShapes) {
  const Transformer initialized(all_parts(), vocab);
  const Transformer uninitialized(all_parts(), vocab, InitialWeights::none);
  const auto expected = state_dict(*initialized);
  const auto found = state_dict(*uninitialized);
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [name, tensor] : expected)
    EXPECT_EQ(found.at(name).sizes(), tensor.sizes()) << name;
}

TEST(InitialWeights, UninitializedModelTakesTheWeightsOfAFile) {
  const TemporaryFolder folder;
  Transformer initialized(all_parts(), vocab);
  initialized->eval();
  const auto file = folder.path("weights.safetensors");
  write_safetensors(file, state_dict(*initialized));
  Transformer uninitialized(all_parts(), vocab, InitialWeights::none);
  uninitialized->eval();
  const auto weights = read_safetensors(file);
  assign_parameters(*uninitialized, weights.tensors, file);
  for (const auto& [name, tensor] : state_dict(*uninitialized))
    EXPECT_EQ(tensor.const_data_ptr(), weights.tensors.at(name).const_data_ptr()) << name;
  const auto source = torch::randint(1, 11, {2, 5});
  const auto target = torch::randint(1, 13, {2, 4});
  EXPECT_TRUE(uninitialized->forward(source, target).equal(initialized->forward(source, target)));
}

TEST(InitialWeights, UninitializedModelDrawsNoRandomNumbers) {
  torch::manual_seed(4);
  const auto expected = torch::rand({3});
  torch::manual_seed(4);
  const Transformer uninitialized(all_parts(), vocab, InitialWeights::none);
  EXPECT_TRUE(torch::rand({3}).equal(expected));
}

TEST(LayerFactory, NumbersMatricesInTheOrderInWhichTheyAreAdded) {
  LayerFactory layers;
  const auto first = layers.linear(8, 4, true);
  EXPECT_GT(first->weight.abs().max().item<float>(), 0);
  EXPECT_EQ(layers.add(first).slot, 0U);
  EXPECT_EQ(layers.add(layers.linear(4, 2, false)).slot, 1U);
  EXPECT_EQ(layers.parts().all().size(), 2U);
}

}  // namespace
}  // namespace tfm
