#include "tfm/tokenizer/required_piece.h"

#include <fmt/format.h>

#include "tfm/core/error.h"

namespace tfm {

std::optional<TokenId> require_piece(const Tokenizer& tokenizer, const std::string& piece,
                                     const PieceField& field) {
  if (piece.empty()) return std::nullopt;
  if (const auto id = find_piece(tokenizer, piece)) return id;
  throw ConfigError(field.key,
                    fmt::format("the {} vocabulary has no token '{}'", field.vocabulary, piece),
                    field.hint);
}

}  // namespace tfm
