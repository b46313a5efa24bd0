#include "tfm/config/presets.h"

#include <array>

namespace tfm {
namespace {

struct Size {
  Preset preset;
  std::int64_t layers;
  std::int64_t hidden_size;
  std::int64_t transformer_ff;
  std::int64_t heads;
  double dropout;
};

constexpr std::array<Size, 3> sizes = {{
    {Preset::tiny, 4, 128, 256, 4, 0.3},
    {Preset::base, 6, 512, 2048, 8, 0.1},
    {Preset::big, 6, 1024, 4096, 16, 0.3},
}};

}  // namespace

void apply_preset(Preset preset, ModelConfig& model) {
  for (const Size& size : sizes) {
    if (size.preset != preset) continue;
    model.encoder_layers = size.layers;
    model.decoder_layers = size.layers;
    model.hidden_size = size.hidden_size;
    model.transformer_ff = size.transformer_ff;
    model.heads = size.heads;
    model.dropout = size.dropout;
    model.tied_embeddings = TiedEmbeddings::all;
  }
}

}  // namespace tfm
