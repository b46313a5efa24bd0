#include "tfm/config/named_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "tfm/config/data_sets.h"
#include "tfm/core/error.h"
#include "tfm/core/input_file.h"

namespace tfm {
namespace {

/// Collects files, and leaves out fields that are empty.
class NamedFileList {
 public:
  void add(std::string_view key, const std::string& path, bool is_folder = false) {
    if (!path.empty()) files_.push_back({std::string(key), path, is_folder});
  }

  void add_sets(std::string_view key, const std::vector<std::string>& sets) {
    for (const std::string& text : sets) {
      const auto set = parse_named_set(text);
      if (!set) continue;  // the config's rules report it
      for (const auto& path : {set->source, set->target, set->tsv}) add(key, path);
    }
  }

  std::vector<NamedFile> take() { return std::move(files_); }

 private:
  std::vector<NamedFile> files_;
};

void add_vocabulary(NamedFileList& files, const Config& config) {
  // The vocabulary of a run with init_from is that of its model.
  if (!config.training.init_from.empty()) return;
  const TokenizerConfig& tokenizer = config.tokenizer;
  if (tokenizer.has_normalization_file())
    files.add("tokenizer.normalization", tokenizer.normalization);
  files.add("tokenizer.source_vocab", tokenizer.source_vocab);
  files.add("tokenizer.target_vocab", tokenizer.target_vocab);
}

void add_data(NamedFileList& files, const DataConfig& data) {
  files.add("data.train_source", data.train_source);
  files.add("data.train_target", data.train_target);
  files.add("data.train_tsv", data.train_tsv);
  files.add_sets("data.sets", data.sets);
  for (const std::string& text : data.weights) {
    if (const auto named = parse_named_weight(text)) files.add("data.weights", named->file);
  }
  for (const std::string& text : data.alignments) {
    if (const auto named = parse_named_alignments(text)) files.add("data.alignments", named->file);
  }
  files.add("data.valid_source", data.valid_source);
  files.add("data.valid_target", data.valid_target);
  files.add("data.valid_tsv", data.valid_tsv);
  files.add("data.valid_alignment", data.valid_alignment);
  files.add_sets("data.valid_sets", data.valid_sets);
}

/// Returns why the file can't be read, or an empty text.
std::string find_obstacle(const NamedFile& file) {
  std::error_code none;
  if (!std::filesystem::exists(file.path, none)) return "does not exist";
  const bool is_folder = std::filesystem::is_directory(file.path, none);
  if (is_folder != file.is_folder) return is_folder ? "is a folder, not a file" : "is not a folder";
  if (::access(file.path.c_str(), R_OK) == 0) return "";
  return std::string("can't be read: ") + std::strerror(errno);
}

struct UnreadableFile {
  const NamedFile& file;
  std::string obstacle;
};

/// Returns the files that can't be read. They refer to `files`.
std::vector<UnreadableFile> find_unreadable(const std::vector<NamedFile>& files) {
  std::vector<UnreadableFile> found;
  for (const NamedFile& file : files) {
    auto obstacle = find_obstacle(file);
    if (!obstacle.empty()) found.push_back({file, std::move(obstacle)});
  }
  return found;
}

std::vector<std::string> describe(const std::vector<UnreadableFile>& files) {
  std::vector<std::string> lines;
  for (const auto& [file, obstacle] : files)
    lines.push_back(fmt::format("{}: {} {}", file.key, file.path.string(), obstacle));
  return lines;
}

std::string hint_for(const NamedFile& file) {
  const auto nearest = file.is_folder ? std::filesystem::path() : nearest_file(file.path);
  return nearest.empty() ? "Correct the path, which starts from the current folder, or remove it "
                           "from the config."
                         : "Did you mean " + nearest.string() + "?";
}

}  // namespace

std::vector<NamedFile> list_named_files(const Config& config, bool resumes) {
  NamedFileList files;
  if (!resumes) add_vocabulary(files, config);
  add_data(files, config.data);
  if (!resumes) files.add("training.init_from", config.training.init_from, /*is_folder=*/true);
  files.add("decoding.unknown_dictionary", config.decoding.unknown_dictionary);
  return files.take();
}

std::vector<std::string> describe_unreadable(const std::vector<NamedFile>& files) {
  return describe(find_unreadable(files));
}

void require_readable(const std::vector<NamedFile>& files) {
  const auto unreadable = find_unreadable(files);
  if (unreadable.empty()) return;
  throw DataError("", fmt::format("{}", fmt::join(describe(unreadable), "\n")),
                  hint_for(unreadable.front().file));
}

void require_shareable(const std::vector<NamedFile>& files, int processes) {
  if (processes == 1) return;
  for (const NamedFile& file : files) {
    if (!is_stream(file.path)) continue;
    throw DataError(file.key,
                    fmt::format("{} can be read only once, but {} processes read it",
                                file.path.string(), processes),
                    "Write it to a file first, or train with one process.");
  }
}

}  // namespace tfm
