#include "tfm/data/training_corpus.h"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <numeric>
#include <random>
#include <utility>

#include "tfm/data/language_pair.h"
#include "tfm/data/pair_alignments.h"
#include "tfm/data/tagged_pairs.h"
#include "tfm/tokenizer/required_piece.h"
#include "window_encoding.h"

namespace tfm {
namespace {

/// Returns the seed for sampling an epoch, or a window of an epoch of several.
std::uint32_t sampling_seed(std::uint64_t seed, Window window, bool is_whole_epoch) {
  const auto epoch = static_cast<std::uint64_t>(window.epoch);
  const auto index = static_cast<std::uint64_t>(window.index);
  std::seed_seq of_epoch{seed, epoch};
  std::seed_seq of_window{seed, epoch, index};
  std::array<std::uint32_t, 1> word{};
  (is_whole_epoch ? of_epoch : of_window).generate(word.begin(), word.end());
  return word[0];
}

std::ptrdiff_t count_unknown(const Tokenizer& tokenizer, const TokenIds& ids) {
  return std::ranges::count(ids, tokenizer.special().unk);
}

TextModifiers make_modifiers(const Config& config) {
  return {modifier_settings(config.data),
          {.symbols = source_symbols(config),
           .term_template = parse_term_template(config.data.term_template).value()}};
}

/// Returns the languages of a text. Those of a set need not be the languages that the config names.
LanguagePair languages_of(const TrainingSet& set, const DataConfig& config) {
  const auto usual = resolve_languages(config);
  return set.name.empty() ? usual : find_languages(set, config).value_or(usual);
}

/// Notes where the text of the last examples is, which are those of `part`.
void add_texts_in_memory(Corpus& corpus, const Corpus& part, const ParallelText& text,
                         const DataConfig& config) {
  const TrainingSet set{.name = text.set, .files = text.files, .tag = text.tag};
  const auto pairs = text.source.size();
  const auto border = text.first_reversed.value_or(pairs);
  const auto begin = static_cast<std::int64_t>(corpus.examples.size() - part.examples.size());
  const auto reversed = std::ranges::lower_bound(part.lines, static_cast<std::int64_t>(border));
  add_text(corpus, begin, std::make_shared<PairsInMemory>(text, 0, border), set, false, config);
  if (border == pairs) return;
  const auto middle = begin + (reversed - part.lines.begin());
  corpus.texts.back().end = middle;
  add_text(corpus, middle, std::make_shared<PairsInMemory>(text, border, pairs), set, true, config);
}

}  // namespace

void require_modifier_symbols(const TokenizerPair& tokenizers, const DataConfig& config) {
  for (const std::string& symbol : modifier_symbols(config))
    require_piece(*tokenizers.source, symbol, modifiers_field);
}

void add_text(Corpus& corpus, std::int64_t begin, std::shared_ptr<const NumberedPairs> pairs,
              const TrainingSet& set, bool reversed, const DataConfig& config) {
  const auto& before = corpus.texts;
  auto languages = languages_of(set, config);
  if (reversed) std::swap(languages.source, languages.target);
  corpus.texts.push_back({.begin = begin,
                          .end = static_cast<std::int64_t>(corpus.examples.size()),
                          .pairs = std::move(pairs),
                          .text = before.empty() ? 0 : before.back().text + (reversed ? 0 : 1),
                          .pairs_before = reversed ? before.back().pairs->size() : 0,
                          .source_i = dotted_i(languages.source),
                          .target_i = dotted_i(languages.target),
                          .has_tag = !set.tag.empty()});
}

Corpus encode_texts(std::span<const ParallelText> texts, const TokenizerPair& tokenizers,
                    const Config& config, std::int64_t threads) {
  require_modifier_symbols(tokenizers, config.data);
  Corpus corpus;
  for (const ParallelText& text : texts) {
    const auto begin = static_cast<std::int64_t>(corpus.examples.size());
    const auto part = encode_corpus(text, tokenizers, config.data, threads);
    append(corpus, part);
    add_texts_in_memory(corpus, part, text, config.data);
    const auto end = static_cast<std::int64_t>(corpus.examples.size());
    if (!text.set.empty()) corpus.sets.push_back({text.set, begin, end});
    if (text.weights) corpus.weights.push_back({begin, end, *text.weights});
  }
  corpus.lines = {};  // the texts find a pair by the line of its example
  return corpus;
}

TrainingCorpus::TrainingCorpus(Corpus corpus, const TokenizerPair& tokenizers, const Config& config,
                               std::int64_t threads)
    : corpus_(std::move(corpus)),
      tokenizers_(&tokenizers),
      config_(config.data),
      modifiers_(make_modifiers(config)),
      seed_(static_cast<std::uint64_t>(config.training.seed)),
      threads_(threads) {
  require_modifier_symbols(tokenizers, config.data);
}

TrainingCorpus::TrainingCorpus(std::span<const ParallelText> texts, const TokenizerPair& tokenizers,
                               const Config& config, std::int64_t threads)
    : TrainingCorpus(encode_texts(texts, tokenizers, config, threads), tokenizers, config,
                     threads) {}

TrainingCorpus::~TrainingCorpus() = default;

void TrainingCorpus::begin_window(const EpochWindows& windows, Window window) {
  if (!config_.encodes_every_epoch()) return;
  const bool is_whole = windows.corpus_fits();
  if (is_whole) window.index = 0;
  if (current_ == window) return;
  if (next_ == nullptr || next_window_ != window) {
    next_ = nullptr;  // ends it before another begins
    next_ = start(windows, window);
  }
  const auto encoding = std::exchange(next_, nullptr);
  auto changed = encoding->finish(threads_);
  auto items = is_whole ? std::vector<std::int64_t>() : encoding->take_items();
  corpus_.examples.enter(
      std::make_shared<const WindowExamples>(std::move(items), std::move(changed)));
  current_ = window;
  next_window_ = is_whole ? Window{window.epoch + 1, 0} : windows.after(window);
  next_ = start(windows, next_window_);
}

/// Starts to encode a window. SentencePiece has a generator per thread and seeds it only when the
/// thread samples for the first time, so on a new thread the samples depend on the seed alone: a
/// window with sampling is one block. The seed is global, so only one thread samples at a time,
/// even for different corpora.
std::unique_ptr<WindowEncoding> TrainingCorpus::start(const EpochWindows& windows,
                                                      Window window) const {
  const bool is_whole = windows.corpus_fits();
  std::vector<std::int64_t> items(is_whole ? corpus_.examples.size() : 0);
  std::iota(items.begin(), items.end(), 0);
  if (!is_whole) {
    items = windows.items(window);
    items.erase(std::ranges::unique(items).begin(), items.end());
  }
  const auto encode_all = [this, epoch = window.epoch](std::span<const std::int64_t> block,
                                                       const WindowEncoding::OnPairs& on_pairs) {
    constexpr std::size_t pairs_between_checks = 256;
    ChangedExamples found;
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (const auto example = changed(static_cast<std::size_t>(block[i]), epoch)) {
        found.indices.push_back(block[i]);
        found.examples.push_back(*example);
      }
      if ((i + 1) % pairs_between_checks == 0) on_pairs(pairs_between_checks);
    }
    on_pairs(block.size() % pairs_between_checks);
    return found;
  };
  constexpr std::size_t block_size = 4096;
  if (config_.subword_sampling_strength() <= 0)
    return std::make_unique<WindowEncoding>(std::move(items), block_size, encode_all);
  const auto sample_all = [encode_all, seed = sampling_seed(seed_, window, is_whole)](
                              std::span<const std::int64_t> block,
                              const WindowEncoding::OnPairs& on_pairs) {
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    seed_sampling(seed);
    return encode_all(block, on_pairs);
  };
  const auto all = items.size();
  return std::make_unique<WindowEncoding>(std::move(items), all, sample_all);
}

const TextOfExamples& TrainingCorpus::text_with(std::size_t example) const {
  return *std::ranges::upper_bound(corpus_.texts, static_cast<std::int64_t>(example), {},
                                   &TextOfExamples::end);
}

PairKey TrainingCorpus::key_of(const TextOfExamples& text, std::size_t index,
                               std::int64_t epoch) const {
  return {.seed = seed_, .epoch = epoch, .text = text.text, .pair = text.pairs_before + index};
}

ModifiedPair TrainingCorpus::modify(const TextOfExamples& text, std::size_t index,
                                    std::int64_t epoch) const {
  return modifiers_.apply({*text.pairs, index, text.source_i, text.target_i},
                          key_of(text, index, epoch));
}

/// Returns an example in an epoch; nullopt if it is that of the unmodified text in the default
/// segmentation.
std::optional<Example> TrainingCorpus::changed(std::size_t example, std::int64_t epoch) const {
  const TextOfExamples& text = text_with(example);
  const auto index = text.pairs->index_of(corpus_.examples.line(example));
  const bool is_sampled = config_.subword_sampling_strength() > 0;
  if (!is_sampled && !modifiers_.may_change(key_of(text, index, epoch))) return std::nullopt;
  const auto modified = modify(text, index, epoch);
  if (!is_sampled && modified.changed_by.empty()) return std::nullopt;
  return encode(modified, corpus_.examples.unchanged(example), text.has_tag);
}

/// Returns nullopt if the example must keep its unmodified text.
std::optional<Example> TrainingCorpus::encode(const ModifiedPair& modified, const Example& usual,
                                              bool has_tag) const {
  const TextPair& pair = modified.pair;
  const auto limit = static_cast<std::size_t>(config_.resolved_max_length());
  Example example{tokenizers_->source->sample(pair.source, config_.subword_sampling_strength()),
                  tokenizers_->target->sample(pair.target, config_.subword_sampling_strength()),
                  usual.line};
  if (example.source.empty() || example.target.empty()) return std::nullopt;
  if (has_tag) example.source.insert(example.source.begin(), usual.source.front());
  if (config_.source_eos) example.source.push_back(tokenizers_->source->special().eos);
  if (example.source.size() > limit || example.target.size() >= limit) return std::nullopt;
  const auto has_more_unknown = [](const Tokenizer& tokenizer, const TokenIds& ids,
                                   const TokenIds& before) {
    return count_unknown(tokenizer, ids) > count_unknown(tokenizer, before);
  };
  if (!modified.changed_by.empty() &&
      (has_more_unknown(*tokenizers_->source, example.source, usual.source) ||
       has_more_unknown(*tokenizers_->target, example.target, usual.target)))
    return std::nullopt;
  return example;
}

std::optional<WindowText> TrainingCorpus::text_of(std::size_t example) const {
  if (corpus_.texts.empty()) return std::nullopt;
  const TextOfExamples& text = text_with(example);
  const auto index = text.pairs->index_of(corpus_.examples.line(example));
  auto original = (*text.pairs)[index];
  WindowText found{.text = text.text,
                   .pair = text.pairs_before + index,
                   .original = original,
                   .modified = {.pair = std::move(original), .changed_by = {}}};
  if (!current_) return found;
  found.modified = modify(text, index, current_->epoch);
  if (found.modified.changed_by.empty()) return found;
  const Example usual = corpus_.examples.unchanged(example);
  // A sampled segmentation cannot be sampled again here, so the example itself shows whether it was
  // replaced.
  found.is_used = config_.subword_sampling_strength() > 0
                      ? corpus_.examples[example] != usual
                      : encode(found.modified, usual, text.has_tag).has_value();
  return found;
}

ParallelText with_reversed_pairs(ParallelText text) {
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  text.first_reversed = text.source.size();
  const auto source = text.source;
  append(text.source, text.target);
  append(text.target, source);
  append(text.line, std::vector(text.line));
  for (std::size_t i = 0, pairs = text.alignments.size(); i < pairs; ++i)
    text.alignments.push_back(exchanged_links(text.alignments[i]));
  return text;
}

}  // namespace tfm
