// The tokens of another toolkit's model in the order of their ids, from the files that those
// toolkits write.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tfm {

/// {"token": id, ...}, as JSON (Hugging Face) or YAML (Marian). An id that no token has, or whose
/// token can't stand in a word list (it is empty, holds white space, or stands there twice), gets
/// the name "<unused-ID>". Throws ModelError naming the file.
std::vector<std::string> read_json_vocabulary(const std::filesystem::path& file);
std::vector<std::string> read_yaml_vocabulary(const std::filesystem::path& file);

/// The pieces of a SentencePiece model. Throws ModelError naming the file.
std::vector<std::string> read_sentencepiece_vocabulary(const std::filesystem::path& file);

/// The list at exactly `size` tokens: shorter ones are filled up as above. Throws ModelError where
/// it is longer: the model has no row for a token.
std::vector<std::string> of_size(std::vector<std::string> tokens, std::int64_t size,
                                 const std::filesystem::path& file);

/// Leaves out the tokens that a longer list has beyond `size`, and warns of them: Marian reads its
/// lists so (dim-vocabs).
void truncate_to_size(std::vector<std::string>& tokens, std::int64_t size,
                      const std::filesystem::path& file);

/// `wanted`, or where one of the lists has it, a name like it that none has: "<pad>" -> "<pad_>".
std::string unused_name(std::string wanted, const std::vector<std::string>& first,
                        const std::vector<std::string>& second);

/// Throws ModelError naming the file where the list has no such token.
void require_token(const std::vector<std::string>& tokens, const std::string& token,
                   const std::filesystem::path& file);

}  // namespace tfm
