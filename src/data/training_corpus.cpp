#include "tfm/data/training_corpus.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <random>
#include <utility>

#include "tfm/data/tagged_pairs.h"
#include "tfm/tokenizer/required_piece.h"

namespace tfm {
namespace {

/// Returns the seed for sampling an epoch.
std::uint32_t sampling_seed(std::uint64_t seed, std::int64_t epoch) {
  std::seed_seq mixed{seed, static_cast<std::uint64_t>(epoch)};
  std::array<std::uint32_t, 1> word{};
  mixed.generate(word.begin(), word.end());
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
LanguagePair languages_of(const ParallelText& text, const DataConfig& config) {
  const auto usual = resolve_languages(config);
  if (text.set.empty()) return usual;
  return find_languages({.name = text.set, .files = text.files, .tag = text.tag}, config)
      .value_or(usual);
}

}  // namespace

TrainingCorpus::TrainingCorpus(std::span<const ParallelText> texts, const TokenizerPair& tokenizers,
                               const Config& config, std::int64_t threads)
    : texts_(texts),
      tokenizers_(&tokenizers),
      config_(config.data),
      modifiers_(make_modifiers(config)),
      seed_(static_cast<std::uint64_t>(config.training.seed)) {
  for (const std::string& symbol : modifier_symbols(config.data))
    require_piece(*tokenizers.source, symbol, modifiers_field);
  for (const ParallelText& text : texts) {
    const auto begin = static_cast<std::int64_t>(corpus_.examples.size());
    append(corpus_, encode_corpus(text, tokenizers, config_, threads));
    ends_.push_back(corpus_.examples.size());
    languages_.push_back(languages_of(text, config_));
    const auto end = static_cast<std::int64_t>(ends_.back());
    if (!text.set.empty()) corpus_.sets.push_back({text.set, begin, end});
    if (text.weights) corpus_.weights.push_back({begin, end, *text.weights});
  }
  if (config_.encodes_every_epoch()) default_examples_ = corpus_.examples;
}

void TrainingCorpus::begin_epoch(std::int64_t epoch) {
  if (!config_.encodes_every_epoch()) return;
  if (next_epoch_ != epoch) {
    next_ = encode_on_new_thread(epoch);
  }
  corpus_.examples = next_.get();
  next_epoch_ = epoch + 1;
  next_ = encode_on_new_thread(next_epoch_);
}

/// Encodes on a new thread. SentencePiece has a generator per thread and seeds it only when the
/// thread samples for the first time, so on a new thread the samples depend on the seed alone. The
/// seed is global, so only one thread samples at a time, even for different corpora.
std::future<ExampleList> TrainingCorpus::encode_on_new_thread(std::int64_t epoch) const {
  return std::async(std::launch::async, [this, epoch] {
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    seed_sampling(sampling_seed(seed_, epoch));
    return encode_epoch(epoch);
  });
}

ExampleList TrainingCorpus::encode_epoch(std::int64_t epoch) const {
  ExampleList encoded;
  for (std::size_t text = 0, example = 0; text < texts_.size(); ++text) {
    for (; example < ends_[text] && !ending_; ++example) {
      const Example usual = default_examples_[example];
      const auto changed = modify(text, example, epoch);
      const bool is_usual =
          config_.subword_sampling_strength() <= 0 && changed.modified.changed_by.empty();
      encoded.push_back(is_usual ? usual : encode(changed, usual).value_or(usual));
    }
  }
  return encoded;
}

EpochText TrainingCorpus::unmodified(std::size_t text, std::size_t example) const {
  const ParallelText& from = texts_[text];
  const auto pair = static_cast<std::size_t>(corpus_.lines[example]);
  return {.text = &from,
          .pair = pair,
          .modified = {.pair = {from.source[pair], from.target[pair]}, .changed_by = {}}};
}

/// Returns a pair within the pairs of its direction, so that no modifier mixes the two directions.
PairInText TrainingCorpus::place_in_direction(std::size_t text, std::size_t pair) const {
  const ParallelText& from = texts_[text];
  const std::size_t border = from.first_reversed.value_or(from.source.size());
  const bool is_reversed = pair >= border;
  const auto part = [&](std::span<const std::string> lines) {
    if (lines.empty()) return lines;
    return is_reversed ? lines.subspan(border) : lines.first(border);
  };
  DottedI source_i = dotted_i(languages_[text].source);
  DottedI target_i = dotted_i(languages_[text].target);
  if (is_reversed) std::swap(source_i, target_i);
  return {part(from.source),     part(from.target), is_reversed ? pair - border : pair,
          part(from.alignments), source_i,          target_i};
}

EpochText TrainingCorpus::modify(std::size_t text, std::size_t example, std::int64_t epoch) const {
  auto result = unmodified(text, example);
  result.modified =
      modifiers_.apply(place_in_direction(text, result.pair),
                       {.seed = seed_, .epoch = epoch, .text = text, .pair = result.pair});
  return result;
}

/// Returns nullopt if the example must keep its unmodified text.
std::optional<Example> TrainingCorpus::encode(const EpochText& text, const Example& usual) const {
  const TextPair& pair = text.modified.pair;
  const auto limit = static_cast<std::size_t>(config_.resolved_max_length());
  Example example{tokenizers_->source->sample(pair.source, config_.subword_sampling_strength()),
                  tokenizers_->target->sample(pair.target, config_.subword_sampling_strength()),
                  usual.line};
  if (example.source.empty() || example.target.empty()) return std::nullopt;
  if (!text.text->tag.empty()) example.source.insert(example.source.begin(), usual.source.front());
  if (config_.source_eos) example.source.push_back(tokenizers_->source->special().eos);
  if (example.source.size() > limit || example.target.size() >= limit) return std::nullopt;
  const auto has_more_unknown = [](const Tokenizer& tokenizer, const TokenIds& ids,
                                   const TokenIds& before) {
    return count_unknown(tokenizer, ids) > count_unknown(tokenizer, before);
  };
  if (!text.modified.changed_by.empty() &&
      (has_more_unknown(*tokenizers_->source, example.source, usual.source) ||
       has_more_unknown(*tokenizers_->target, example.target, usual.target)))
    return std::nullopt;
  return example;
}

std::optional<EpochText> TrainingCorpus::text_of(std::size_t example) const {
  if (texts_.empty()) return std::nullopt;
  const auto text =
      static_cast<std::size_t>(std::ranges::upper_bound(ends_, example) - ends_.begin());
  if (!config_.encodes_every_epoch() || next_epoch_ < 0) return unmodified(text, example);
  auto result = modify(text, example, next_epoch_ - 1);
  const Example usual = default_examples_[example];
  // A sampled segmentation cannot be sampled again here, so the example itself shows whether it was
  // replaced.
  if (!result.modified.changed_by.empty())
    result.is_used = config_.subword_sampling_strength() > 0 ? corpus_.examples[example] != usual
                                                             : encode(result, usual).has_value();
  return result;
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
    text.alignments.push_back(
        format_pharaoh(exchanged(parse_word_links(text.alignments[i], "data.alignments"))));
  return text;
}

}  // namespace tfm
