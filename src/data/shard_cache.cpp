#include "tfm/data/shard_cache.h"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <tuple>
#include <utility>

#include "shard_list.h"
#include "skips.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/checksum.h"
#include "tfm/core/error.h"
#include "tfm/core/file_lock.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/core/parallel.h"
#include "tfm/core/work_progress.h"
#include "tfm/data/shard.h"
#include "tfm/data/text_checksum.h"
#include "tfm/data/text_overlap.h"
#include "tfm/data/text_shard.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Returns a text of all settings that determine the examples of a text.
std::string encoding_settings(const ShardRequest& request) {
  const DataConfig& config = *request.config;
  return fmt::format(
      "1 {:08x} {:08x} {} {} {} {}{}", request.tokenizers->source->encoding_checksum(),
      request.tokenizers->target->encoding_checksum(), config.source_eos,
      config.resolved_max_length(), config.fixed_length > 0, static_cast<int>(config.long_lines),
      request.tag.empty() ? "" : " " + request.tag);
}

/// Returns the name of a part's shard: checksums of its sides, its number of pairs, and a checksum
/// of the settings and of the places of its pairs.
std::string shard_name(const TextPart& part, const std::string& settings) {
  Crc32 rest;
  rest.add(settings);
  rest.add(part.text.line.data(), part.text.line.size() * sizeof(part.text.line.front()));
  return fmt::format("{:08x}{:08x}{:08x}-{}.safetensors", part.source.crc, part.target.crc,
                     rest.value(), part.text.source.size());
}

/// Returns the name of the shard of a part's text: checksums of its sides, of the links between
/// their words and of the places of its pairs, and its number of pairs.
std::string text_name(const TextPart& part) {
  Crc32 rest(part.links.crc);
  rest.add(part.text.line.data(), part.text.line.size() * sizeof(part.text.line.front()));
  return fmt::format("{:08x}{:08x}{:08x}-{}.text.safetensors", part.source.crc, part.target.crc,
                     rest.value(), part.text.source.size());
}

template <class AnyShard>
using Shards = std::vector<std::shared_ptr<const AnyShard>>;

/// Throws DataError if the list's shards are not whole. Reads all of them, on all threads.
template <class AnyShard>
void verify(const Shards<AnyShard>& shards, std::int64_t threads) {
  parallel_for(shards.size(), threads, [&](std::size_t begin, std::size_t end) {
    for (auto i = begin; i < end; ++i) {
      throw_if_interrupted("the check of the shards");
      shards[i]->verify();
    }
  });
}

class Preparation {
 public:
  explicit Preparation(const ShardRequest& request)
      : request_(request),
        files_(request.reversed ? exchanged(request.files) : request.files),
        settings_(encoding_settings(request)),
        valid_checksum_(request.valid != nullptr ? checksum(*request.valid) : 0),
        list_file_(request.cache / shard_list_name(files_, list_settings())) {}

  /// Returns a text of the settings that determine the list. With bad_lines: error, a list exists
  /// only of a text without bad lines.
  std::string list_settings() const {
    std::string settings =
        fmt::format("{} {} {}{}", settings_, static_cast<int>(request_.config->bad_lines),
                    request_.reversed, files_.has_links ? " links" : "");
    if (request_.with_text) settings += " text";
    if (!request_.links.empty())
      settings += " " + fs::absolute(request_.links).lexically_normal().string();
    return settings;
  }

  /// Returns the text if every shard is there and the files have not changed since.
  std::optional<ShardedText> find() const {
    const auto list = read_shard_list(list_file_, files_);
    const auto states = states_of_files();
    if (!list || !are_settled(states) || list->files != states) return std::nullopt;
    if (request_.valid != nullptr && list->valid_checksum != valid_checksum_) return std::nullopt;
    try {
      const auto shards = open_all<Shard>(*list, &ListedShard::name);
      ShardedText found{.corpus = {}, .facts = facts_of(*list)};
      for (std::size_t i = 0; i < shards.size(); ++i)
        add(found.corpus, shards[i], list->shards[i].line_offset);
      if (request_.with_text) {
        const auto texts = open_all<TextShard>(*list, &ListedShard::text);
        auto pairs = std::make_shared<PairsInShards>();
        for (std::size_t i = 0; i < texts.size(); ++i)
          pairs->append(texts[i], list->shards[i].line_offset);
        found.text = std::move(pairs);
      }
      return found;
    } catch (const Error& error) {
      throw_if_interrupted("the check of the shards");
      log_warn("{}: it is made again", error.summary());
      return std::nullopt;
    }
  }

  ShardedText make() {
    // The states are taken first: a file that is changed meanwhile is read again by a later start.
    list_.files = states_of_files();
    std::optional<SharedPairCounter> shared;
    if (request_.valid != nullptr) shared.emplace(*request_.valid);
    try {
      add_parts(shared);
    } catch (const Interrupted&) {
      throw Interrupted(fmt::format("interrupted: {} pairs are prepared", text_.facts.pairs),
                        "The same command continues there.");
    }
    if (shared) text_.facts.shared = shared->count();
    require_pairs(text_.facts.pairs, files_, text_.facts.skipped);
    require_examples(text_.corpus, files_);
    write_list();
    if (request_.with_text) text_.text = std::move(pairs_);
    return std::move(text_);
  }

 private:
  /// Returns the states of all files that determine the list.
  std::vector<FileState> states_of_files() const {
    auto files = files_.all();
    if (!request_.links.empty()) files.push_back(request_.links);
    return file_states(files);
  }

  /// Opens the shards of a list, whose names are in this member, and verifies them.
  template <class AnyShard>
  Shards<AnyShard> open_all(const ShardList& list, std::string ListedShard::* name) const {
    Shards<AnyShard> shards;
    for (const ListedShard& each : list.shards)
      shards.push_back(std::make_shared<const AnyShard>(request_.cache / (each.*name)));
    verify<AnyShard>(shards, request_.threads);
    return shards;
  }

  void add(Corpus& corpus, const std::shared_ptr<const Shard>& shard, std::int64_t offset) const {
    append(corpus, shard->counts(files_, offset));
    corpus.examples.append(shard, offset);
  }

  /// Reads the text part by part; the next part is read while one is encoded.
  void add_parts(std::optional<SharedPairCounter>& shared) {
    TextParts parts(request_.files, request_.config->bad_lines, request_.reversed, request_.sizes,
                    request_.links);
    WorkProgress progress("preparing the training data", "pair");
    using PartAndShare = std::pair<std::optional<TextPart>, std::optional<double>>;
    const auto read = [&parts] {
      PartAndShare read{parts.next(), std::nullopt};
      read.second = parts.share_read();
      return read;
    };
    auto next = std::async(std::launch::async, read);
    for (auto part = next.get(); part.first; part = next.get()) {
      next = std::async(std::launch::async, read);
      part.first->text.tag = request_.tag;
      add_part(*part.first, shared);
      progress.show(text_.facts.pairs, part.second);
    }
  }

  void add_part(const TextPart& part, std::optional<SharedPairCounter>& shared) {
    auto& facts = text_.facts;
    const auto& [source, target] = std::tie(part.text.source, part.text.target);
    for (std::size_t i = 0; shared && i < source.size(); ++i) shared->add(source[i], target[i]);
    facts.pairs += std::ssize(source);
    facts.source.append(part.source);
    facts.target.append(part.target);
    facts.links.append(part.links);
    add_skips(facts.skipped, part.skipped);
    ListedShard listed{.name = shard_name(part, settings_), .line_offset = part.line_offset};
    const auto encode = [&](const fs::path& file) {
      write_shard(file,
                  encode_part(part.text, *request_.tokenizers, *request_.config, request_.threads),
                  files_);
    };
    add(text_.corpus, shard_of<Shard>(listed.name, encode), part.line_offset);
    if (request_.with_text) {
      listed.text = text_name(part);
      const auto keep = [&](const fs::path& file) { write_text_shard(file, part.text); };
      pairs_->append(shard_of<TextShard>(listed.text, keep), part.line_offset);
    }
    list_.shards.push_back(std::move(listed));
  }

  /// Returns the shard with this name, which `make` writes if it is missing or damaged.
  template <class AnyShard>
  std::shared_ptr<const AnyShard> shard_of(const std::string& name,
                                           const std::function<void(const fs::path&)>& make) {
    const fs::path file = request_.cache / name;
    if (fs::exists(file)) {
      try {
        auto shard = std::make_shared<const AnyShard>(file);
        shard->verify();
        return shard;
      } catch (const Error& error) {
        throw_if_interrupted("the check of the shards");
        log_warn("{}: it is made again", error.summary());
      }
    }
    make(file);
    ++text_.made;
    return std::make_shared<const AnyShard>(file);
  }

  TextFacts facts_of(const ShardList& list) const {
    return {.pairs = list.pairs,
            .source = list.source,
            .target = list.target,
            .links = list.links,
            .shared = list.shared,
            .skipped = list.skipped};
  }

  void write_list() {
    const auto& facts = text_.facts;
    list_.pairs = facts.pairs;
    list_.source = facts.source;
    list_.target = facts.target;
    list_.links = facts.links;
    list_.skipped = facts.skipped;
    list_.valid_checksum = valid_checksum_;
    list_.shared = facts.shared;
    replace_shard_list(list_file_, list_, files_);
  }

  const ShardRequest& request_;
  ParallelFiles files_;
  std::string settings_;
  std::uint32_t valid_checksum_;  // 0 without validation text
  fs::path list_file_;
  ShardList list_;
  ShardedText text_;
  std::shared_ptr<PairsInShards> pairs_ = std::make_shared<PairsInShards>();
};

/// Locks the cache. If another process holds the lock, waits, which Ctrl-C ends.
std::unique_ptr<FileLock> lock_cache(const fs::path& file, bool& waited) {
  for (;;) {
    const auto holder = FileLock::holder(file);
    if (!holder) {
      try {
        return std::make_unique<FileLock>(file);
      } catch (const ModelError&) {
        if (!FileLock::holder(file)) throw;  // it can't be written
        continue;                            // another process was faster
      }
    }
    if (!waited)
      log_info("process {} prepares data in {}: waiting", *holder, file.parent_path().string());
    waited = true;
    throw_if_interrupted("the wait for another process");
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

}  // namespace

std::uint32_t TextFacts::checksum() const {
  Crc32 sum(source.crc);
  sum.append(target.crc, target.bytes);
  return sum.value();
}

ShardedText prepare_shards(const ShardRequest& request) {
  if (!request.read_only.empty()) {
    ShardRequest shared = request;
    shared.cache = request.read_only;
    if (auto found = Preparation(shared).find()) return std::move(*found);
  }
  Preparation preparation(request);
  if (auto found = preparation.find()) return std::move(*found);
  make_folder(request.cache);
  bool waited = false;
  const auto lock = lock_cache(request.cache / "lock", waited);
  if (waited) {
    if (auto found = preparation.find()) return std::move(*found);
  }
  log_info("preparing the training data in {}: {}", request.cache.string(),
           source_file(request.files).filename().string());
  return preparation.make();
}

std::optional<std::string> text_key(const ParallelFiles& files, const std::string& settings) {
  const auto states = file_states(files.all());
  if (!are_settled(states)) return std::nullopt;
  Crc32 sum;
  for (const FileState& state : states)
    sum.add(fmt::format("{} {} {}\n", state.path, state.bytes, state.modified));
  sum.add(settings);
  return sum.hex();
}

}  // namespace tfm
