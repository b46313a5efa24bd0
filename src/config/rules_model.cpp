#include "rules.h"

namespace tfm {
namespace {

void check_attention(const ModelConfig& model, Violations& found) {
  if (model.head_size == 0 && model.hidden_size % model.heads != 0) {
    found.push_back({{"model.hidden_size", "model.heads"},
                     std::to_string(model.hidden_size) + " is not a multiple of " +
                         std::to_string(model.heads) + " heads",
                     "change one of them, or set model.head_size"});
  }
  if (model.cross_attention == CrossAttention::layerwise &&
      model.encoder_layers != model.decoder_layers) {
    found.push_back({{"model.cross_attention", "model.encoder_layers", "model.decoder_layers"},
                     "layerwise needs as many encoder layers as decoder layers, not " +
                         std::to_string(model.encoder_layers) + " and " +
                         std::to_string(model.decoder_layers),
                     "make them equal, or set cross_attention to top"});
  }
}

void check_position_sizes(const ModelConfig& model, Violations& found) {
  if (model.positions == Positions::rotary && model.resolved_head_size() % 2 != 0) {
    found.push_back({{"model.head_size", "model.positions"},
                     "rotary positions need an even head size, not " +
                         std::to_string(model.resolved_head_size()),
                     "change hidden_size, heads or head_size"});
  }
  const bool halves = model.positions == Positions::sinusoidal_halves;
  const bool sines =
      halves || model.positions == Positions::sinusoidal || model.positions == Positions::by_token;
  if (halves && model.hidden_size < 4) {
    found.push_back({{"model.hidden_size", "model.positions"},
                     "sinusoidal_halves needs at least two frequencies",
                     "set hidden_size to 4 or more, or positions to sinusoidal"});
  }
  if (sines && model.hidden_size % 2 != 0) {
    found.push_back(
        {{"model.hidden_size", "model.positions"},
         "sinusoidal positions need an even hidden size, not " + std::to_string(model.hidden_size),
         "make hidden_size even, or set positions to learned"});
  }
  const bool has_table = halves || model.positions == Positions::sinusoidal;
  if (model.first_position != 0 && !has_table) {
    found.push_back({{"model.first_position", "model.positions"},
                     "only the tables of sinusoidal and sinusoidal_halves have a first position",
                     "set first_position to 0"});
  }
}

}  // namespace

void check_model(const Config& config, Violations& found) {
  check_attention(config.model, found);
  check_position_sizes(config.model, found);
  if (config.model.positions == Positions::learned &&
      config.data.max_length > config.model.max_positions) {
    found.push_back({{"data.max_length", "model.max_positions"},
                     std::to_string(config.data.max_length) + " tokens do not fit into " +
                         std::to_string(config.model.max_positions) + " learned positions",
                     "lower data.max_length or raise model.max_positions"});
  }
}

}  // namespace tfm
