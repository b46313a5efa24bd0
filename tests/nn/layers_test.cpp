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

TEST(EmptyWeightsGuard, LeaveEveryNameAndShapeAsItIs) {
  const Transformer whole(all_parts(), vocab);
  const EmptyWeightsGuard empty;
  const Transformer bare(all_parts(), vocab);
  const auto expected = state_dict(*whole);
  const auto found = state_dict(*bare);
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [name, tensor] : expected)
    EXPECT_EQ(found.at(name).sizes(), tensor.sizes()) << name;
}

TEST(EmptyWeightsGuard, ANetworkThatAdoptsWeightsComputesWithThem) {
  const TemporaryFolder folder;
  Transformer whole(all_parts(), vocab);
  whole->eval();
  const auto file = folder.path("weights.safetensors");
  write_safetensors(file, state_dict(*whole));
  Transformer bare = [] {
    const EmptyWeightsGuard empty;
    return Transformer(all_parts(), vocab);
  }();
  bare->eval();
  const auto weights = read_safetensors(file);
  assign_parameters(*bare, weights.tensors, file);
  for (const auto& [name, tensor] : state_dict(*bare))
    EXPECT_EQ(tensor.const_data_ptr(), weights.tensors.at(name).const_data_ptr()) << name;
  const auto source = torch::randint(1, 11, {2, 5});
  const auto target = torch::randint(1, 13, {2, 4});
  EXPECT_TRUE(bare->forward(source, target).equal(whole->forward(source, target)));
}

TEST(EmptyWeightsGuard, LastAsLongAsTheyLive) {
  {
    const EmptyWeightsGuard empty;
  }
  EXPECT_FALSE(EmptyWeightsGuard::wanted());
  EXPECT_GT(make_linear(8, 8, true)->weight.abs().max().item<float>(), 0);
}

}  // namespace
}  // namespace tfm
