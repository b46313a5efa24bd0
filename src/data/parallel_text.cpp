#include <iterator>

#include "skips.h"
#include "tfm/core/error.h"
#include "tfm/data/corpus.h"
#include "tfm/data/pair_stream.h"

namespace tfm {

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
  PairStream pairs(files, bad_lines);
  ParallelText text;
  std::string source;
  std::string target;
  while (pairs.next(source, target)) {
    text.source.push_back(source);
    text.target.push_back(target);
    text.line.push_back(pairs.line());
  }
  text.files = files;
  text.skipped = pairs.take_skipped();
  require_pairs(std::ssize(text.source), files, text.skipped);
  return text;
}

}  // namespace tfm
