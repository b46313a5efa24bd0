// The files that cleaning writes: kept pairs in two parallel files or one TSV file, and dropped
// pairs in a TSV file. All appear when they are complete (AtomicFile).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tfm/core/atomic_file.h"
#include "tfm/corpus/cleaning.h"

namespace tfm {

struct CleanedNames {
  std::vector<std::filesystem::path> kept;  ///< source and target, or one TSV file
  std::filesystem::path dropped;
};

/// Returns the names for an output: "clean.tsv" and "clean.dropped.tsv" for "clean.tsv"; otherwise
/// the name is a prefix, as in "clean.de", "clean.en" and "clean.dropped.tsv" for "clean". A
/// language that is unknown is called "source" or "target". Throws ConfigError if the name is
/// that of a folder or of standard output, or has the ending of a compression, because tfm writes
/// plain files.
CleanedNames cleaned_names(const std::filesystem::path& output, const std::string& source_language,
                           const std::string& target_language);

/// Throws ConfigError if cleaning would replace one of the files that it reads.
void refuse_to_replace(const std::vector<std::filesystem::path>& inputs, const CleanedNames& names);

class CleanedFiles : public PairSink {
 public:
  /// Throws ModelError if a file can't be created.
  explicit CleanedFiles(const CleanedNames& names);

  /// In TSV files, a tab within a side becomes a space. Throws ModelError if the disk is full.
  void keep(const CorpusPair& pair) override;
  /// Writes the name of the rule, the number of the line, source and target.
  void drop(const CorpusPair& pair, std::size_t rule) override;
  /// Gives the files their final names. Throws ModelError on failure.
  void commit();

 private:
  /// A file that is written in large blocks.
  class BlockFile {
   public:
    explicit BlockFile(const std::filesystem::path& file) : file_(file) {}
    std::string& text() { return text_; }
    void write();
    void write_if_large();
    void commit() { file_.commit(); }

   private:
    AtomicFile file_;
    std::string text_;
  };

  BlockFile source_;  // or both sides
  std::optional<BlockFile> target_;
  BlockFile dropped_;
};

}  // namespace tfm
