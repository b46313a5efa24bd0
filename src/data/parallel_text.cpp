#include <algorithm>
#include <optional>
#include <string_view>

#include "skips.h"
#include "tfm/core/error.h"
#include "tfm/core/line_reader.h"
#include "tfm/data/corpus.h"
#include "tfm/data/pair_reader.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// Returns the reason to skip a pair with this side, or nullopt if the side is valid.
std::optional<std::string> find_defect(std::string_view side) {
  if (invalid_utf8(side)) return "invalid UTF-8";
  if (side.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos) return "empty side";
  return std::nullopt;
}

class ParallelReader {
 public:
  ParallelReader(const ParallelFiles& files, BadLines bad_lines) : bad_lines_(bad_lines) {
    text_.files = files;
  }

  ParallelText read() {
    text_.files.tsv.empty() ? read_two_files() : read_tsv();
    if (text_.source.empty()) {
      std::string reasons;
      for (const std::string& line : describe(text_.skipped)) reasons += "\n  " + line;
      throw DataError(source_file(text_.files).string(), "has no usable sentence pair" + reasons,
                      "Check that these are the right files.");
    }
    return std::move(text_);
  }

 private:
  void read_two_files() {
    PairReader reader(text_.files.source, text_.files.target);
    std::string source;
    std::string target;
    while (reader.next(source, target)) add(source, target, reader.line_number());
    if (reader.line_number() == 0)
      throw DataError(text_.files.source.string(), "the file is empty",
                      "Give a file with one sentence per line.");
  }

  void read_tsv() {
    LineReader reader(text_.files.tsv);
    for (std::string line; reader.next(line);) {
      const auto tabs = std::count(line.begin(), line.end(), '\t');
      if (tabs == 1) {
        const auto tab = line.find('\t');
        add(line.substr(0, tab), line.substr(tab + 1), reader.line_number());
      } else {
        skip(tabs == 0 ? "no tab" : "more than one tab", text_.files.tsv, reader.line_number());
      }
    }
    if (reader.line_number() == 0)
      throw DataError(reader.file().string(), "the file is empty",
                      "Give a file with source, tab, target on each line.");
  }

  void add(const std::string& source, const std::string& target, std::int64_t line) {
    if (const auto reason = find_defect(source))
      return skip(*reason, source_file(text_.files), line);
    if (const auto reason = find_defect(target))
      return skip(*reason, target_file(text_.files), line);
    text_.source.push_back(source);
    text_.target.push_back(target);
    text_.line.push_back(line);
  }

  void skip(const std::string& reason, const std::filesystem::path& file, std::int64_t line) {
    const std::string place = file_and_line(file, line);
    if (bad_lines_ == BadLines::error)
      throw DataError(place, reason, "Fix the line, or set data.bad_lines to skip.");
    record_skip(text_.skipped, {.reason = reason, .count = 0, .first = {}, .truncated = false},
                place);
  }

  BadLines bad_lines_;
  ParallelText text_;
};

}  // namespace

ParallelFiles train_files(const DataConfig& config) {
  return {config.train_source, config.train_target, config.train_tsv};
}

ParallelFiles require_train_files(const DataConfig& config) {
  auto files = train_files(config);
  if (files.empty())
    throw ConfigError("data.train_source", "the config names no training data",
                      "Set data.train_source and data.train_target, or data.train_tsv.");
  return files;
}

ParallelFiles valid_files(const DataConfig& config) {
  return {config.valid_source, config.valid_target, config.valid_tsv};
}

std::vector<std::pair<std::string, ParallelFiles>> extra_valid_files(const DataConfig& config) {
  std::vector<std::pair<std::string, ParallelFiles>> sets;
  for (const std::string& set : config.valid_sets) {
    const auto equals = set.find('=');
    const std::string files = set.substr(equals + 1);
    const auto comma = files.find(',');
    sets.emplace_back(set.substr(0, equals),
                      comma == files.npos
                          ? ParallelFiles{.source = {}, .target = {}, .tsv = files}
                          : ParallelFiles{files.substr(0, comma), files.substr(comma + 1), {}});
  }
  return sets;
}

ParallelText read_parallel(const ParallelFiles& files, BadLines bad_lines) {
  return ParallelReader(files, bad_lines).read();
}

}  // namespace tfm
