#include <iterator>
#include <numeric>

#include "skips.h"
#include "tfm/config/data_sets.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/same_file.h"
#include "tfm/core/work_progress.h"
#include "tfm/data/corpus.h"
#include "tfm/data/pair_alignments.h"
#include "tfm/data/pair_stream.h"

namespace tfm {
namespace {

/// Returns names and files of sets whose form the config's rules have checked.
std::vector<std::pair<std::string, ParallelFiles>> named_files(
    const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, ParallelFiles>> sets;
  for (const std::string& text : texts) {
    const auto set = parse_named_set(text).value();
    sets.emplace_back(set.name, ParallelFiles{set.source, set.target, set.tsv});
  }
  return sets;
}

/// Returns the files of a set, whose TSV file has links if it is also the set's file of alignments.
ParallelFiles with_links(ParallelFiles files, const DataConfig& config, std::string_view set) {
  const auto alignments = alignments_file(config, set);
  files.has_links = !files.tsv.empty() && alignments && is_same_file(*alignments, files.tsv);
  return files;
}

}  // namespace

std::vector<std::filesystem::path> ParallelFiles::all() const {
  std::vector<std::filesystem::path> files{source, target, tsv};
  std::erase_if(files, [](const auto& file) { return file.empty(); });
  return files;
}

ParallelFiles train_files(const DataConfig& config) {
  return with_links({config.train_source, config.train_target, config.train_tsv}, config, "");
}

ParallelFiles require_train_files(const DataConfig& config) {
  auto files = train_files(config);
  if (files.empty())
    throw ConfigError("data.train_source", "the config names no training data",
                      "Set data.train_source and data.train_target, data.train_tsv or data.sets.");
  return files;
}

ParallelFiles valid_files(const DataConfig& config) {
  return {config.valid_source, config.valid_target, config.valid_tsv};
}

std::vector<TrainingSet> training_sets(const DataConfig& config) {
  if (config.sets.empty()) return {{.name = "", .files = require_train_files(config), .tag = ""}};
  std::vector<TrainingSet> sets;
  for (const auto& [name, files] : named_files(config.sets))
    sets.push_back(
        {.name = name, .files = with_links(files, config, name), .tag = tag_of(config, name)});
  return sets;
}

std::vector<std::filesystem::path> files_of(const std::vector<TrainingSet>& sets) {
  std::vector<std::filesystem::path> files;
  for (const TrainingSet& set : sets) {
    const auto of_set = set.files.all();
    files.insert(files.end(), of_set.begin(), of_set.end());
  }
  return files;
}

std::string tag_of(const DataConfig& config, std::string_view set) {
  for (const std::string& text : config.tags) {
    const auto named = parse_named_tag(text).value();  // the config's rules have checked its form
    if (named.set == set) return named.tag;
  }
  return "";
}

std::vector<std::pair<std::string, ParallelFiles>> extra_valid_files(const DataConfig& config) {
  return named_files(config.valid_sets);
}

ParallelText pair_lines(std::vector<std::string> source, std::vector<std::string> target,
                        const ParallelFiles& files) {
  ParallelText text;
  text.files = files;
  text.source = std::move(source);
  text.target = std::move(target);
  text.line.resize(text.source.size());
  std::iota(text.line.begin(), text.line.end(), 1);
  return text;
}

ParallelText read_parallel(const ParallelFiles& files, BadLines bad_lines) {
  constexpr std::int64_t pairs_between_checks = 1024;
  PairStream pairs(files, bad_lines);
  WorkProgress progress("reading " + source_file(files).filename().string(), "pair");
  ParallelText text;
  std::string source;
  std::string target;
  while (pairs.next(source, target)) {
    text.source.push_back(source);
    text.target.push_back(target);
    text.line.push_back(pairs.line());
    const auto done = std::ssize(text.line);
    if (done % pairs_between_checks != 0) continue;
    throw_if_interrupted("the reading of the text");
    progress.show(done, pairs.share_read());
  }
  text.files = files;
  text.skipped = pairs.take_skipped();
  require_pairs(std::ssize(text.source), files, text.skipped);
  return text;
}

}  // namespace tfm
