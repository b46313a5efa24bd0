#include "export_fields.h"

namespace tfm {

Config common_part(const Config& own) {
  Config part;
  part.model = {.preset = own.model.preset,
                .encoder_layers = own.model.encoder_layers,
                .decoder_layers = own.model.decoder_layers,
                .hidden_size = own.model.hidden_size,
                .heads = own.model.heads,
                .transformer_ff = own.model.transformer_ff,
                .dropout = own.model.dropout,
                .embedding_dropout = own.model.embedding_dropout,
                .attention_dropout = own.model.attention_dropout,
                .activation_dropout = own.model.activation_dropout,
                .layer_dropout = own.model.layer_dropout,
                .dropout_after_sum = own.model.dropout_after_sum,
                .bias = own.model.bias,
                .norm_order = own.model.norm_order,
                .norm_affine = own.model.norm_affine,
                .max_positions = own.model.max_positions,  // of learned positions
                .tied_embeddings = own.model.tied_embeddings,
                .tied_output_bias = own.model.tied_output_bias,
                .init = own.model.init};
  if (own.model.resolved_head_size() * own.model.heads == own.model.hidden_size)
    part.model.head_size = own.model.head_size;
  part.tokenizer = own.tokenizer;
  return part;
}

bool concerns_export(const Field& field) {
  return field.effects.contains(Effect::shapes_model) ||
         &field == &field_of(&Config::decoding, &DecodingConfig::source_tag) ||
         &field == &field_of(&Config::decoding, &DecodingConfig::target_language) ||
         &field == &field_of(&Config::decoding, &DecodingConfig::target_prefix);
}

}  // namespace tfm
