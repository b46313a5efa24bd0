#include "tfm/data/pair_reader.h"

#include "tfm/core/error.h"
#include "tfm/core/input_file.h"

namespace tfm {
namespace {

/// Splits a line at its only tab. Throws DataError if the line has no tab, or several.
void split_at_tab(const LineReader& reader, std::string& source, std::string& target) {
  const auto tab = source.find('\t');
  if (tab == std::string::npos || source.find('\t', tab + 1) != std::string::npos) {
    throw DataError(
        reader.file().string() + ":" + std::to_string(reader.line_number()),
        tab == std::string::npos ? "the line has no tab" : "the line has more than one tab",
        "Give a file with source, tab, target on each line.");
  }
  target = source.substr(tab + 1);
  source.resize(tab);
}

void read_all(PairReader reader) {
  std::string source;
  std::string target;
  while (reader.next(source, target)) continue;
}

}  // namespace

bool PairReader::next(std::string& source, std::string& target) {
  const bool more_source = source_.next(source);
  if (!target_) {
    if (more_source) split_at_tab(source_, source, target);
    return more_source;
  }
  const bool more_target = target_->next(target);
  if (more_source == more_target) return more_source;
  for (const LineReader* side : {&source_, &*target_}) {
    if (side->line_number() == 0)
      throw DataError(side->file().string(), "the file is empty",
                      "Give a file with one sentence per line.");
  }
  for (std::string line; source_.next(line);) continue;
  for (std::string line; target_->next(line);) continue;
  throw DataError("",
                  source_.file().string() + " has " + std::to_string(source_.line_number()) +
                      " lines, but " + target_->file().string() + " has " +
                      std::to_string(target_->line_number()),
                  "Line n of one file must be the translation of line n of the other: find where "
                  "they diverge.");
}

void check_line_counts(const std::filesystem::path& source, const std::filesystem::path& target) {
  if (!is_stream(source) && !is_stream(target)) read_all(PairReader(source, target));
}

void check_tabs(const std::filesystem::path& pairs) {
  if (!is_stream(pairs)) read_all(PairReader(pairs));
}

}  // namespace tfm
