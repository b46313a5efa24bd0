// What the name of a result may be. No command replaces a file that it reads, and plain text gets
// no name for compressed text, because tfm would then refuse to read it.
#pragma once

#include <filesystem>
#include <vector>

namespace tfm {

/// Throws ConfigError if the name ends as that of a compressed file does.
void refuse_compressed_name(const std::filesystem::path& output);

/// Throws ConfigError if the output is one of the inputs. Empty inputs do not count.
void refuse_to_replace(const std::vector<std::filesystem::path>& inputs,
                       const std::filesystem::path& output);

/// Checks both for a file with lines of text. The names "" and "-" stand for stdout.
void check_output_name(const std::filesystem::path& output,
                       const std::vector<std::filesystem::path>& inputs);

}  // namespace tfm
