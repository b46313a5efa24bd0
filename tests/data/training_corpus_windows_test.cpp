// Corpora of several windows, in memory and in shards.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>

#include "begin_windows.h"
#include "temporary_folder.h"
#include "text/sample_text.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/data/shard_cache.h"
#include "tfm/tokenizer/sentencepiece_tokenizer.h"
#include "tfm/tokenizer/sentencepiece_training.h"

namespace tfm {
namespace {

/// A text in both directions whose pairs are modified. Some of its lines are not usable.
class CorpusOfWindows : public testing::Test {
 protected:
  CorpusOfWindows() {
    const auto lines = [](std::uint32_t seed) {
      std::string text;
      std::size_t line = 0;
      for (const std::string& sentence : sample_text(seed, 240))
        text += (++line % 50 == 0 ? "" : sentence) + "\n";
      return text;
    };
    set.files = {folder.write("a.de", lines(1)), folder.write("a.en", lines(2)), ""};
    std::string pharaoh;
    for (int i = 0; i < 240; ++i) pharaoh += i % 4 == 0 ? "\n" : "0-0\n";
    links = folder.write("a.align", pharaoh);
    config.data.alignments = {"train=" + links.string()};
    config.data.modifiers = {"merge=0.3", "title_case=0.3", "typos=0.2", "terms=0.5"};
    config.data.term_template = "<t> {trg} <t>";
    config.data.bidirectional = true;
    config.tokenizer = subword_config(SubwordAlgorithm::bpe, 400);
    config.tokenizer.byte_fallback = true;
    config.tokenizer.symbols = {"<t>"};
    const auto text = read_parallel(set.files, config.data.bad_lines);
    const auto model = train_sentencepiece({text.source, text.target}, config.tokenizer);
    tokenizers.source = tokenizers.target = std::make_shared<const SentencePieceTokenizer>(model);
  }

  std::vector<ParallelText> read_text() const {
    auto text = read_parallel(set.files, config.data.bad_lines);
    text.alignments = read_pair_alignments(text, links);
    return {with_reversed_pairs(std::move(text))};
  }

  /// Prepares the text in parts of some ten pairs.
  Corpus in_shards() const {
    Corpus corpus;
    for (const bool reversed : {false, true}) {
      const auto prepared = prepare_shards({.files = set.files,
                                            .tokenizers = &tokenizers,
                                            .config = &config.data,
                                            .cache = folder.path("cache"),
                                            .reversed = reversed,
                                            .with_text = true,
                                            .links = links,
                                            .sizes = {.least = 500, .most = 2000, .pairs = 10}});
      const auto begin = static_cast<std::int64_t>(corpus.examples.size());
      append(corpus, prepared.corpus);
      add_text(corpus, begin, prepared.text, set, reversed, config.data);
    }
    return corpus;
  }

  BatcherOptions options() const {
    return {.type = BatchType::tokens, .size = 300, .seed = 9, .window_size = 70};
  }

  /// A batch, with its examples as they are when it is read.
  struct ReadBatch {
    DataPosition position;
    std::vector<std::int64_t> items;
    std::vector<Example> examples;

    bool operator==(const ReadBatch&) const = default;
  };

  static std::vector<Example> examples_of(const TrainingCorpus& corpus,
                                          const std::vector<std::int64_t>& items) {
    std::vector<Example> examples;
    for (const auto item : items)
      examples.push_back(corpus.corpus().examples[static_cast<std::size_t>(item)]);
    return examples;
  }

  std::vector<ReadBatch> read(TrainingCorpus& corpus, DataPosition start,
                              std::int64_t epochs) const {
    Batcher batcher(corpus.corpus(), options(), begin_windows(corpus), start);
    std::vector<ReadBatch> batches;
    while (batcher.position().epoch < epochs) {
      const auto position = batcher.position();
      const auto items = batcher.next();
      batches.push_back({position, items, examples_of(corpus, items)});
    }
    return batches;
  }

  TemporaryFolder folder;
  TrainingSet set;
  std::filesystem::path links;
  TokenizerPair tokenizers;
  Config config;
};

TEST_F(CorpusOfWindows, HasTheSameBatchesFromShardsAsFromMemory) {
  const auto texts = read_text();
  for (const double dropout : {0.0, 0.2}) {
    config.data.bpe_dropout = dropout;
    TrainingCorpus memory(texts, tokenizers, config);
    TrainingCorpus shards(in_shards(), tokenizers, config);
    const auto expected = read(memory, {}, 3);
    EXPECT_EQ(expected.back().position.window, 6) << "an epoch has seven windows";
    EXPECT_EQ(read(shards, {}, 3), expected);
    std::size_t changed = 0, marked = 0;
    for (std::size_t i = 0; i < memory.corpus().examples.size(); ++i) {
      const auto found = memory.text_of(i).value();
      const auto other = shards.text_of(i).value();
      EXPECT_EQ(other.original, found.original);
      EXPECT_EQ(other.pair, found.pair);
      EXPECT_EQ(other.modified.pair, found.modified.pair);
      EXPECT_EQ(other.modified.changed_by, found.modified.changed_by);
      changed += found.modified.changed_by.empty() ? 0 : 1;
      marked += found.modified.pair.source.find("<t>") != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(changed, 250U);
    EXPECT_GT(marked, 50U);
  }
}

TEST_F(CorpusOfWindows, DoesNotDependOnTheNumberOfThreads) {
  for (const double dropout : {0.0, 0.2}) {
    config.data.bpe_dropout = dropout;
    TrainingCorpus one(in_shards(), tokenizers, config, 1);
    TrainingCorpus several(in_shards(), tokenizers, config, 4);
    EXPECT_EQ(read(one, {}, 2), read(several, {}, 2));
  }
}

TEST_F(CorpusOfWindows, ResumesInAnyBatchOfAnyWindow) {
  config.data.bpe_dropout = 0.1;
  TrainingCorpus through(in_shards(), tokenizers, config);
  const auto expected = read(through, {}, 2);
  for (std::size_t i = 0; i < expected.size(); i += 5) {
    TrainingCorpus again(in_shards(), tokenizers, config);
    EXPECT_EQ(
        read(again, expected[i].position, 2),
        std::vector<ReadBatch>(expected.begin() + static_cast<std::ptrdiff_t>(i), expected.end()));
  }
}

/// The batches of an update are read after the last of them has been taken.
TEST_F(CorpusOfWindows, KeepsTheExamplesOfTheWindowBefore) {
  TrainingCorpus corpus(in_shards(), tokenizers, config);
  Batcher batcher(corpus.corpus(), options(), begin_windows(corpus));
  std::size_t changed = 0;
  for (std::int64_t window = 0; window < 4; ++window) {
    std::vector<std::int64_t> items;
    while (batcher.position().window == window) items = batcher.next();
    const auto before = examples_of(corpus, items);
    batcher.next();  // begins the next window
    EXPECT_EQ(examples_of(corpus, items), before);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto item = static_cast<std::size_t>(items[i]);
      changed += before[i] != corpus.corpus().examples.unchanged(item) ? 1 : 0;
    }
  }
  EXPECT_GT(changed, 4U);
}

/// Counts how often a pair is read.
class CountedPairs final : public NumberedPairs {
 public:
  CountedPairs(std::shared_ptr<const NumberedPairs> pairs, std::atomic<std::size_t>& reads)
      : pairs_(std::move(pairs)), reads_(reads) {}

  std::size_t size() const override { return pairs_->size(); }
  std::size_t index_of(std::int64_t line) const override { return pairs_->index_of(line); }
  TextPair operator[](std::size_t i) const override {
    ++reads_;
    return (*pairs_)[i];
  }

 private:
  std::shared_ptr<const NumberedPairs> pairs_;
  std::atomic<std::size_t>& reads_;
};

TEST_F(CorpusOfWindows, ReadsOnlyThePairsOfTheWindowAndOfTheNext) {
  config.data.modifiers = {"title_case=1"};
  std::atomic<std::size_t> reads = 0;
  auto examples = in_shards();
  for (TextOfExamples& text : examples.texts)
    text.pairs = std::make_shared<CountedPairs>(text.pairs, reads);
  TrainingCorpus corpus(std::move(examples), tokenizers, config);
  const EpochWindows windows(corpus.corpus(), options());
  const Window window{.epoch = 0, .index = 2};
  corpus.begin_window(windows, window);
  const auto both = windows.items(window).size() + windows.items(windows.after(window)).size();
  EXPECT_GE(reads, windows.items(window).size());
  EXPECT_LE(reads, both);
  corpus.begin_window(windows, windows.after(window));
  EXPECT_GE(reads, both) << "the next window was encoded ahead";
  EXPECT_LT(reads, 2 * both);
}

TEST_F(CorpusOfWindows, ReportsTextThatCannotBeReadAnyMore) {
  TrainingCorpus corpus(in_shards(), tokenizers, config);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("cache")))
    if (entry.path().string().ends_with(".text.safetensors"))
      std::filesystem::resize_file(entry.path(), entry.file_size() - 1);
  EXPECT_THAT(message_of<DataError>([&] { read(corpus, {}, 1); }),
              testing::HasSubstr("it has become shorter"));
}

TEST_F(CorpusOfWindows, AnInterruptedWindowCanBeginAgain) {
  install_signal_handlers();
  TrainingCorpus corpus(in_shards(), tokenizers, config);
  config.data.bpe_dropout = 0.1;
  TrainingCorpus sampled(in_shards(), tokenizers, config);
  for (TrainingCorpus* each : {&corpus, &sampled}) {
    const EpochWindows windows(each->corpus(), BatcherOptions());
    std::raise(SIGINT);
    EXPECT_THROW(each->begin_window(windows, {.epoch = 0}), Interrupted);
    clear_interrupt();
    each->begin_window(windows, {.epoch = 0});
    EXPECT_FALSE(each->text_of(0)->modified.pair.source.empty());
  }
}

}  // namespace
}  // namespace tfm
