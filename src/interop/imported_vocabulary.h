// Reads the vocabulary files of other toolkits into lists of tokens in id order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tfm {

/// Reads {"token": id, ...} in JSON (Hugging Face) or YAML (Marian). An id without a token gets the
/// name "<unused-ID>". So does a token that a word list cannot contain: an empty token, a
/// duplicate, or a token with white space or invalid UTF-8. Throws ModelError with the file name if
/// the file is missing or malformed.
std::vector<std::string> read_json_vocabulary(const std::filesystem::path& file);
std::vector<std::string> read_yaml_vocabulary(const std::filesystem::path& file);

/// Reads the pieces of a SentencePiece model. Throws ModelError with the file name if the file is
/// missing or malformed.
std::vector<std::string> read_sentencepiece_vocabulary(const std::filesystem::path& file);

/// Extends the list to `size` tokens with names such as "<unused-ID>". Throws ModelError if the
/// list is longer, because the model has no rows for the extra tokens.
std::vector<std::string> pad_to_size(std::vector<std::string> tokens, std::int64_t size,
                                     const std::filesystem::path& file);

/// If the list has more than `size` tokens, removes the others and logs a warning. Marian ignores
/// these tokens, too (option dim-vocabs).
void truncate_to_size(std::vector<std::string>& tokens, std::int64_t size,
                      const std::filesystem::path& file);

/// Returns `wanted`, or a similar name if one of the two lists contains `wanted`: "<pad>" becomes
/// "<pad_>".
std::string unused_name(std::string wanted, const std::vector<std::string>& first,
                        const std::vector<std::string>& second);

/// Throws ModelError with the file name if the list does not contain the token.
void require_token(const std::vector<std::string>& tokens, const std::string& token,
                   const std::filesystem::path& file);

}  // namespace tfm
