#include "tfm/config/presets.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

ModelConfig preset_model(Preset preset) {
  ModelConfig model;
  apply_preset(preset, model);
  return model;
}

TEST(ApplyPreset, NoneChangesNothing) { EXPECT_EQ(preset_model(Preset::none), ModelConfig()); }

// The sizes and dropout rates are in table 3 of the paper, the tied embeddings in section 3.4.
TEST(ApplyPreset, SetsBaseAndBigAsInVaswaniEtAl2017) {
  const ModelConfig base = preset_model(Preset::base);
  EXPECT_EQ(base.encoder_layers, 6);
  EXPECT_EQ(base.decoder_layers, 6);
  EXPECT_EQ(base.hidden_size, 512);
  EXPECT_EQ(base.transformer_ff, 2048);
  EXPECT_EQ(base.heads, 8);
  EXPECT_EQ(base.dropout, 0.1);
  EXPECT_EQ(base.tied_embeddings, TiedEmbeddings::all);
  const ModelConfig big = preset_model(Preset::big);
  EXPECT_EQ(big.encoder_layers, 6);
  EXPECT_EQ(big.hidden_size, 1024);
  EXPECT_EQ(big.transformer_ff, 4096);
  EXPECT_EQ(big.heads, 16);
  EXPECT_EQ(big.dropout, 0.3);
  EXPECT_EQ(big.resolved_head_size(), 64);
}

TEST(ApplyPreset, SetsTinyAsInWuEtAl2021) {
  const ModelConfig tiny = preset_model(Preset::tiny);
  EXPECT_EQ(tiny.encoder_layers, 4);
  EXPECT_EQ(tiny.decoder_layers, 4);
  EXPECT_EQ(tiny.hidden_size, 128);
  EXPECT_EQ(tiny.transformer_ff, 256);
  EXPECT_EQ(tiny.heads, 4);
  EXPECT_EQ(tiny.dropout, 0.3);
}

TEST(ApplyPreset, KeepsAllOtherFields) {
  ModelConfig model;
  model.norm_order = NormOrder::pre;
  model.positions = Positions::learned;
  apply_preset(Preset::tiny, model);
  EXPECT_EQ(model.norm_order, NormOrder::pre);
  EXPECT_EQ(model.positions, Positions::learned);
}

}  // namespace
}  // namespace tfm
