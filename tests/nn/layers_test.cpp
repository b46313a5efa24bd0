#include "tfm/nn/layers.h"

#include <gtest/gtest.h>

#include "nn/model_fixture.h"
#include "temporary_folder.h"
#include "tfm/nn/safetensors.h"
#include "tfm/nn/transformer.h"

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

TEST(EmptyWeights, LeaveEveryNameAndShapeAsItIs) {
  const Transformer whole(all_parts(), vocab);
  const EmptyWeights empty;
  const Transformer bare(all_parts(), vocab);
  const auto expected = named_parameters(*whole);
  const auto found = named_parameters(*bare);
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [name, tensor] : expected)
    EXPECT_EQ(found.at(name).sizes(), tensor.sizes()) << name;
}

TEST(EmptyWeights, ANetworkThatAdoptsWeightsComputesWithThem) {
  const TemporaryFolder folder;
  Transformer whole(all_parts(), vocab);
  whole->eval();
  const auto file = folder.path("weights.safetensors");
  write_safetensors(file, named_parameters(*whole));
  Transformer bare = [] {
    const EmptyWeights empty;
    return Transformer(all_parts(), vocab);
  }();
  bare->eval();
  const auto weights = read_safetensors(file);
  adopt_parameters(*bare, weights.tensors, file);
  for (const auto& [name, tensor] : named_parameters(*bare))
    EXPECT_EQ(tensor.const_data_ptr(), weights.tensors.at(name).const_data_ptr()) << name;
  const auto source = torch::randint(1, 11, {2, 5});
  const auto target = torch::randint(1, 13, {2, 4});
  EXPECT_TRUE(bare->forward(source, target).equal(whole->forward(source, target)));
}

TEST(EmptyWeights, LastAsLongAsTheyLive) {
  {
    const EmptyWeights empty;
  }
  EXPECT_FALSE(EmptyWeights::wanted());
  EXPECT_GT(make_linear(8, 8, true)->weight.abs().max().item<float>(), 0);
}

}  // namespace
}  // namespace tfm
