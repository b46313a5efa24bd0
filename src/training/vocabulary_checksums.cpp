#include "vocabulary_checksums.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tfm/core/error.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Throws ModelError if both checksums are known and differ. `stem` is that of the vocabulary's
/// files.
void check_side(std::uint32_t found, std::uint32_t expected, const fs::path& stem,
                const fs::path& checkpoint) {
  if (expected == 0 || found == expected) return;
  std::vector<std::string> files;
  for (const char* ending : {".model", ".vocab"}) {
    const fs::path file = stem.string() + ending;
    if (fs::exists(file)) files.push_back(file.string());
  }
  throw ModelError(
      fmt::format("{}", fmt::join(files, " or ")),
      fmt::format("is not the vocabulary that {} was trained with", checkpoint.filename().string()),
      "Restore the file from a copy, or begin a new run in another "
      "training.run_folder.");
}

}  // namespace

VocabularyChecksums vocabulary_checksums(const TokenizerPair& tokenizers) {
  return {.source = tokenizers.source->encoding_checksum(),
          .target = tokenizers.target->encoding_checksum()};
}

void check_vocabulary(const TokenizerPair& tokenizers, const VocabularyChecksums& expected,
                      const fs::path& run_folder, const fs::path& checkpoint) {
  const auto found = vocabulary_checksums(tokenizers);
  const bool joint = tokenizers.is_joint();
  check_side(found.source, expected.source, run_folder / (joint ? "joint" : "source"), checkpoint);
  if (!joint) check_side(found.target, expected.target, run_folder / "target", checkpoint);
}

}  // namespace tfm
