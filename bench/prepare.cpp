// Measures what bench/prepare needs from inside a process.
//   tfm_bench_prepare encode MODEL SOURCE TARGET THREADS: SentencePiece's own encoder on the lines
//     of two files, which are in memory, in equal shares on THREADS threads
//   tfm_bench_prepare feed CONFIG RUN_FOLDER SECONDS: the batches of a run whose shards exist, read
//     and collated by one thread
// Prints a JSON object.
#include <fmt/format.h>
#include <sentencepiece_processor.h>
#include <torch/utils.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "tfm/config/config_file.h"
#include "tfm/core/clock.h"
#include "tfm/core/line_reader.h"
#include "tfm/core/memory.h"
#include "tfm/data/batcher.h"
#include "tfm/data/shard_cache.h"
#include "tfm/data/shard_folder.h"
#include "tfm/model/batch.h"
#include "tfm/training/update_batches.h"

namespace {

using Arguments = std::vector<std::string>;

int encode(const Arguments& arguments) {
  sentencepiece::SentencePieceProcessor processor;
  if (!processor.Load(arguments.at(0)).ok()) return 1;
  const std::vector sides{tfm::read_lines(arguments.at(1)), tfm::read_lines(arguments.at(2))};
  const auto threads = std::stoul(arguments.at(3));
  const auto work = [&](std::size_t thread) {
    std::vector<int> ids;
    for (const auto& lines : sides) {
      for (std::size_t i = thread; i < lines.size(); i += threads)
        static_cast<void>(processor.Encode(lines[i], &ids));
    }
  };
  const double begin = tfm::steady_seconds();
  std::vector<std::thread> others;
  for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (auto& other : others) other.join();
  std::cout << fmt::format("{{\"seconds\": {}}}\n", tfm::steady_seconds() - begin);
  return 0;
}

int feed(const Arguments& arguments) {
  at::set_num_threads(1);
  const auto config = tfm::load_config(arguments.at(0));
  const auto tokenizers = tfm::load_tokenizers(config.tokenizer, arguments.at(1));
  const double seconds = std::stod(arguments.at(2));
  const double start = tfm::steady_seconds();
  auto text = tfm::prepare_shards({.files = tfm::train_files(config.data),
                                   .tokenizers = &tokenizers,
                                   .config = &config.data,
                                   .cache = tfm::shard_folder(config.data).value(),
                                   .threads = 2});
  tfm::Batcher batcher(text.corpus, tfm::batcher_options(config, std::ssize(text.corpus.examples)));
  const tfm::CollateOptions format{.source = tokenizers.source->special(),
                                   .target = tokenizers.target->special()};
  tfm::collate(text.corpus, batcher.next(), format);
  const double first = tfm::steady_seconds();
  std::int64_t pairs = 0, tokens = 0;
  double longest = 0, now = first;
  while (now - first < seconds) {
    const double before = now;
    const auto batch = tfm::collate(text.corpus, batcher.next(), format);
    pairs += static_cast<std::int64_t>(batch.indices.size());
    tokens += batch.source_tokens + batch.target_tokens;
    now = tfm::steady_seconds();
    longest = std::max(longest, now - before);
  }
  std::cout << fmt::format(
      "{{\"first_batch_seconds\": {}, \"pairs_per_second\": {}, \"tokens_per_second\": {}, "
      "\"longest_wait_seconds\": {}, \"examples\": {}, \"tokens\": {}, "
      "\"peak_memory_mib\": {}}}\n",
      first - start, static_cast<double>(pairs) / (now - first),
      static_cast<double>(tokens) / (now - first), longest, text.corpus.examples.size(),
      text.corpus.source_tokens + text.corpus.target_tokens,
      tfm::peak_memory() / (1024.0 * 1024.0));
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const Arguments all(words + 1, words + count);
  if (all.size() == 5 && all[0] == "encode") return encode({all.begin() + 1, all.end()});
  if (all.size() == 4 && all[0] == "feed") return feed({all.begin() + 1, all.end()});
  std::cerr
      << "tfm_bench_prepare encode MODEL SOURCE TARGET THREADS | feed CONFIG FOLDER SECONDS\n";
  return 2;
}
