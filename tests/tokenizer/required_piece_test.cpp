#include "tfm/tokenizer/required_piece.h"

#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/tokenizer/word_tokenizer.h"

namespace tfm {
namespace {

TEST(RequirePiece, ReturnsTheIdOfAPiece) {
  const WordTokenizer tokenizer(Vocab({"<pad>", "<s>", "</s>", "<unk>", "<2fr>", "b"}, {}));
  EXPECT_EQ(require_piece(tokenizer, "<2fr>", source_tag_field), 4);
  EXPECT_EQ(require_piece(tokenizer, "", source_tag_field), std::nullopt);
}

TEST(RequirePiece, NamesTheFieldOfAPieceThatIsMissing) {
  const WordTokenizer tokenizer(Vocab({"<pad>", "<s>", "</s>", "<unk>", "a"}, {}));
  EXPECT_EQ(message_of<ConfigError>([&] { require_piece(tokenizer, "b", stop_token_field); }),
            "decoding.stop_token: the target vocabulary has no token 'b'\n"
            "  Name a token exactly as it appears in the vocabulary file.");
}

}  // namespace
}  // namespace tfm
