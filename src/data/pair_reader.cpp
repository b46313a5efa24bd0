#include "tfm/data/pair_reader.h"

#include "tfm/core/error.h"

namespace tfm {

bool PairReader::next(std::string& source, std::string& target) {
  const bool more_source = source_.next(source);
  const bool more_target = target_.next(target);
  if (more_source == more_target) return more_source;
  for (const auto* side : {&source_, &target_}) {
    if (side->line_number() == 0)
      throw DataError(side->file().string(), "the file is empty",
                      "Give a file with one sentence per line.");
  }
  for (std::string line; source_.next(line);) continue;
  for (std::string line; target_.next(line);) continue;
  throw DataError("",
                  source_.file().string() + " has " + std::to_string(source_.line_number()) +
                      " lines, but " + target_.file().string() + " has " +
                      std::to_string(target_.line_number()),
                  "Line n of one file must be the translation of line n of the other: find where "
                  "they diverge.");
}

void check_line_counts(const std::filesystem::path& source, const std::filesystem::path& target) {
  for (const auto& file : {source, target}) {
    if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file) &&
        !std::filesystem::is_directory(file))
      return;
  }
  PairReader reader(source, target);
  std::string source_line;
  std::string target_line;
  while (reader.next(source_line, target_line)) continue;
}

}  // namespace tfm
