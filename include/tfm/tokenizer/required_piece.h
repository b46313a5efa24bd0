// The pieces of a vocabulary that a config names, each by the field that names it. A piece that the
// vocabulary does not have is an error of the config.
#pragma once

#include <optional>
#include <string>

#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

/// A field that names a piece.
struct PieceField {
  const char* key;         ///< such as "decoding.stop_token"
  const char* vocabulary;  ///< which vocabulary has the piece: "source" or "target"
  const char* hint;        ///< what to do if the vocabulary does not have it
};

inline constexpr PieceField tags_field{
    "data.tags", "source",
    "Use a vocabulary that has it: one that tfm learns gets the tags of data.tags."};
inline constexpr PieceField modifiers_field{
    "data.modifiers", "source",
    "Remove the modifier that writes it, or use a vocabulary that has it: one that tfm learns gets "
    "it."};
inline constexpr PieceField source_tag_field{
    "decoding.source_tag", "source", "Name a tag that the model was trained with (data.tags)."};
inline constexpr PieceField target_tag_field{"decoding.target_language", "target",
                                             "Name a language that the model has."};
inline constexpr PieceField stop_token_field{
    "decoding.stop_token", "target", "Name a token exactly as it appears in the vocabulary file."};

/// Returns the id of a piece, or nullopt if `piece` is empty. Throws ConfigError, with the field,
/// if the vocabulary does not have the piece.
std::optional<TokenId> require_piece(const Tokenizer& tokenizer, const std::string& piece,
                                     const PieceField& field);

}  // namespace tfm
