#include "session_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tfm/core/checksum.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/core/work_progress.h"
#include "tfm/data/batcher_options.h"
#include "tfm/data/pair_alignments.h"
#include "tfm/data/pair_stream.h"
#include "tfm/data/shard_cache.h"
#include "tfm/data/shard_folder.h"
#include "tfm/data/text_checksum.h"
#include "tfm/data/text_overlap.h"
#include "tfm/data/text_sample.h"
#include "tfm/metrics/bleu_tokenizer.h"
#include "tfm/run/fingerprint_text.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/run_report.h"
#include "vocabulary.h"

namespace tfm {
namespace {

ParallelText read_text(const ParallelFiles& files, BadLines bad_lines, const char* what) {
  auto text = read_parallel(files, bad_lines);
  for (const auto& line : describe(text.skipped)) log_warn("{} text: {}", what, line);
  return text;
}

std::uint32_t metric_fingerprint(const std::optional<ParallelText>& valid, const Config& config) {
  if (!valid) return checksum({}, "no validation text");
  Config resolved = config;
  auto& tokenizer = resolved.training.bleu_tokenizer;
  tokenizer = resolve_bleu_tokenizer(tokenizer, valid->target);
  return checksum(*valid, metric_text(resolved));
}

/// Reads the training data once, and returns a sample of it. Links between words are read, too, so
/// that those of another text are an error before hours of preparation.
TextSample read_sample(const Config& config) {
  TextSample sample(config.tokenizer.sample_pairs);
  WorkProgress progress("reading the training data", "pair");
  const auto sets = training_sets(config.data);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    PairStream pairs(sets[i].files, config.data.bad_lines);
    std::optional<LinkReader> links;
    if (const auto file = links_file(config.data, sets[i].name))
      links.emplace(sets[i].files, *file);
    const auto before = sample.pairs();
    std::string source;
    std::string target;
    while (pairs.next(source, target)) {
      if (links) links->next(pairs.line(), source, target);
      sample.add(std::move(source), std::move(target));
      constexpr std::int64_t pairs_between_checks = 1024;
      if (sample.pairs() % pairs_between_checks != 0) continue;
      throw_if_interrupted("the reading of the training data");
      const auto share = pairs.share_read();
      const auto done = static_cast<double>(i) + share.value_or(0);
      progress.show(sample.pairs(),
                    share ? std::optional(done / static_cast<double>(sets.size())) : std::nullopt);
    }
    require_pairs(sample.pairs() - before, sets[i].files, pairs.take_skipped());
  }
  return sample;
}

/// Returns the line of the last example in its file.
std::int64_t last_line(const ExampleList& examples) {
  return examples.empty() ? 0 : examples[examples.size() - 1].line;
}

/// Continues the checksum of the training data with that of the weights or links of its pairs.
void add_checksum(SessionText& text, std::uint32_t own) {
  Crc32 sum(text.train_checksum);
  sum.add(&own, sizeof own);
  text.train_checksum = sum.value();
}

/// Reads all training data into memory.
std::vector<ParallelText> read_train(const DataConfig& data) {
  std::vector<ParallelText> texts;
  for (const TrainingSet& set : training_sets(data)) {
    texts.push_back(read_text(set.files, data.bad_lines, "training"));
    texts.back().set = set.name;
    texts.back().tag = set.tag;
    if (const auto links = links_file(data, set.name))
      texts.back().alignments = read_pair_alignments(texts.back(), *links);
  }
  return texts;
}

/// Completes `text` with what the preparation of one more text found. `set` is nullptr for the
/// second direction of a text.
void add_facts(SessionText& text, const TextFacts& facts, const TrainingSet* set) {
  text.train_pairs += facts.pairs;
  const auto bytes = facts.source.bytes + facts.target.bytes;
  Crc32 all(text.train_checksum);
  if (set != nullptr) all.add(set->name);
  all.append(facts.checksum(), bytes);
  text.train_checksum = all.value();
  if (set == nullptr) return;
  for (const auto& line : describe(facts.skipped)) log_warn("training text: {}", line);
  text.summary.pairs += static_cast<std::size_t>(facts.pairs);
  text.summary.checksum = text.train_checksum;
  if (!text.valid) return;
  auto& [valid_pairs, shared_pairs] = text.overlap;
  valid_pairs = std::ssize(text.valid->source);
  shared_pairs = std::min(valid_pairs, shared_pairs + facts.shared);
}

TextSum sum_of(const std::vector<std::string>& lines) {
  TextSum sum;
  for (const std::string& line : lines) sum.add(line);
  return sum;
}

/// Completes `text` with what is known of training data in memory. It is what preparing the same
/// data in shards finds.
void describe_train(SessionText& text) {
  for (const ParallelText& part : text.train) {
    text.train_bytes += count_bytes(part);
    const TrainingSet set{.name = part.set, .files = part.files, .tag = part.tag};
    add_facts(text,
              {.pairs = std::ssize(part.source),
               .source = sum_of(part.source),
               .target = sum_of(part.target),
               .shared = text.valid ? count_shared_pairs(*text.valid, part) : 0},
              &set);
  }
}

/// Finds the place of a vocabulary that is learnt from the text, and the one that is kept there or
/// in the cache that can only be read.
void find_kept_vocabulary(SessionText& text, const Config& config) {
  text.vocabulary = vocabulary_folder(config, *text.shards);
  if (!text.vocabulary) return;
  text.kept_vocabulary = find_vocabulary(*text.vocabulary);
  const auto read_only = read_only_cache(config.data);
  if (text.kept_vocabulary || read_only.empty()) return;
  const auto place = read_only / text.vocabulary->filename();
  text.kept_vocabulary = find_vocabulary(place);
  if (text.kept_vocabulary) text.vocabulary = place;
}

}  // namespace

SessionText load_text(const Config& config, bool learns) {
  const DataConfig& data = config.data;
  SessionText text;
  text.shards = shard_folder(data);
  if (!text.shards) text.train = read_train(data);
  if (const auto valid = valid_files(data); !valid.empty())
    text.valid = read_text(valid, data.bad_lines, "validation");
  if (text.valid) text.valid->tag = tag_of(data, "valid");
  for (const auto& [name, set] : extra_valid_files(data)) {
    text.valid_sets.emplace_back(
        name, read_text(set, data.bad_lines, ("validation (" + name + ")").c_str()));
    text.valid_sets.back().second.tag = tag_of(data, name);
  }
  if (!text.shards) {
    describe_train(text);
  } else if (learns) {
    find_kept_vocabulary(text, config);
    if (text.kept_vocabulary) return text;
    auto sample = read_sample(config);
    text.train_bytes = sample.bytes();
    text.train.push_back(sample.take());
  }
  return text;
}

Corpus load_shards(SessionText& text, const TranslationModel& model, const ProcessGroup& group) {
  const DataConfig& data = model.config.data;
  text.train = {};
  // Ranks other than 0 find the shards that rank 0 has made. That can take hours.
  const auto wait = [&group] {
    std::array<double, 1> none{};
    group.all_reduce_patient(none);
  };
  Corpus corpus;
  std::vector<std::uint32_t> own;  // checksums of the links and weights of each set
  require_modifier_symbols(model.tokenizers, data);
  if (!group.is_main()) wait();
  for (const TrainingSet& set : training_sets(data)) {
    TextSum links;
    const auto begin = static_cast<std::int64_t>(corpus.examples.size());
    const auto weights = weights_of(data, set.name);
    for (const bool reversed : {false, true}) {
      if (reversed && !data.bidirectional) continue;
      const auto prepared =
          prepare_shards({.files = set.files,
                          .tokenizers = &model.tokenizers,
                          .config = &data,
                          .cache = *text.shards,
                          .read_only = read_only_cache(data),
                          .threads = thread_count(),
                          .reversed = reversed,
                          .tag = set.tag,
                          .with_text = data.encodes_every_epoch(),
                          .links = links_file(data, set.name).value_or(std::filesystem::path()),
                          .valid = text.valid ? &*text.valid : nullptr});
      const auto first = static_cast<std::int64_t>(corpus.examples.size());
      append(corpus, prepared.corpus);
      if (prepared.text) add_text(corpus, first, prepared.text, set, reversed, data);
      links.append(prepared.facts.links);
      const auto skipped =
          count_skipped(prepared.facts.skipped) + count_skipped(prepared.corpus.skipped);
      if (weights) weights->require_lines(last_line(corpus.examples), skipped);
      add_facts(text, prepared.facts, reversed ? nullptr : &set);
    }
    const auto end = static_cast<std::int64_t>(corpus.examples.size());
    if (!set.name.empty()) corpus.sets.push_back({set.name, begin, end});
    if (links_file(data, set.name)) own.push_back(links.crc);
    if (weights) own.push_back(weights->checksum());
    if (weights) corpus.weights.push_back({begin, end, *weights});
  }
  for (const std::uint32_t checksum : own) add_checksum(text, checksum);
  if (group.is_main()) wait();
  return corpus;
}

void complete_text(SessionText& text, const TranslationModel& model, const ProcessGroup& group) {
  if (text.shards) {
    text.in_shards = load_shards(text, model, group);
  } else if (model.config.data.bidirectional) {
    auto& train = text.train.front();  // sets have one direction
    train = with_reversed_pairs(std::move(train));
    text.train_checksum = checksum(train);
    text.train_pairs = std::ssize(train.source);
  }
  for (ParallelText& part : text.train) {
    if (!part.alignments.empty()) add_checksum(text, sum_of(part.alignments).crc);
    part.weights = weights_of(model.config.data, part.set);
    if (!part.weights) continue;
    part.weights->require_lines(part.line.back(), count_skipped(part.skipped));
    add_checksum(text, part.weights->checksum());
  }
}

TrainingCorpus make_training_corpus(SessionText& text, const TranslationModel& model) {
  auto corpus = text.in_shards
                    ? *std::exchange(text.in_shards, std::nullopt)
                    : encode_texts(text.train, model.tokenizers, model.config, thread_count());
  return {std::move(corpus), model.tokenizers, model.config, thread_count()};
}

Fingerprints fingerprints_of(const SessionText& text, const Config& config) {
  auto settings = batch_content_text(config);
  // A corpus of one window has the same batches as in versions without windows.
  if (text.train_pairs > largest_window)
    settings += fmt::format("window {}\n", window_size(config.data, text.train_pairs));
  return {.data = with_settings(text.train_checksum, settings),
          .metric = metric_fingerprint(text.valid, config)};
}

void describe_corpus(const Corpus& corpus) {
  for (const auto& line : describe(corpus.skipped)) log_warn("training text: {}", line);
  log_info("{} training pairs, {} source and {} target tokens", corpus.examples.size(),
           corpus.source_tokens, corpus.target_tokens);
  const auto share = [](std::int64_t unknown, std::int64_t all) {
    return 100.0 * static_cast<double>(unknown) /
           static_cast<double>(std::max<std::int64_t>(1, all));
  };
  if (corpus.source_unknown + corpus.target_unknown > 0) {
    log_warn("unknown to the vocabulary: {:.2f}% of the source and {:.2f}% of the target tokens",
             share(corpus.source_unknown, corpus.source_tokens),
             share(corpus.target_unknown, corpus.target_tokens));
  }
}

}  // namespace tfm
