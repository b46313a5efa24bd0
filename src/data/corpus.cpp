#include "tfm/data/corpus.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "skips.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/parallel.h"
#include "tfm/core/work_progress.h"
#include "tfm/tokenizer/required_piece.h"

namespace tfm {
namespace {

/// Throws DataError if a vocabulary lacks a special token that the sentences need.
void require_special_tokens(const TokenizerPair& tokenizers, const DataConfig& config) {
  if (config.source_eos && tokenizers.source->special().eos < 0) {
    throw DataError("data.source_eos", "the source vocabulary has no end-of-sentence token",
                    "Add it to the vocabulary, or set source_eos to false.");
  }
  const SpecialTokens& target = tokenizers.target->special();
  if (target.bos < 0 || target.eos < 0) {
    throw DataError("tokenizer",
                    "the target vocabulary lacks a beginning-of-sentence or end-of-sentence token",
                    "Add both to the vocabulary, or name its tokens in tokenizer.bos_token and "
                    "tokenizer.eos_token.");
  }
}

using OnPairs = std::function<void(std::size_t)>;

/// Encodes a range of the pairs.
class RangeEncoder {
 public:
  RangeEncoder(const ParallelText& text, const TokenizerPair& tokenizers, const DataConfig& config)
      : text_(text),
        tokenizers_(tokenizers),
        config_(config),
        tag_(require_piece(*tokenizers.source, text.tag, tags_field)) {}

  /// Calls on_pairs(n) after every n pairs, which take a fraction of a second.
  Corpus encode(std::size_t begin, std::size_t end, const OnPairs& on_pairs) {
    constexpr std::size_t pairs_between_checks = 4096;
    for (std::size_t i = begin; i < end; ++i) {
      encode_pair(i);
      if ((i + 1 - begin) % pairs_between_checks != 0) continue;
      throw_if_interrupted("the encoding of the text");
      on_pairs(pairs_between_checks);
    }
    return std::move(corpus_);
  }

 private:
  void encode_pair(std::size_t i) {
    std::vector<std::string> source_unknown;
    std::vector<std::string> target_unknown;
    Example example{tokenizers_.source->encode(text_.source[i], &source_unknown),
                    tokenizers_.target->encode(text_.target[i], &target_unknown), 0};
    if (!text_.line.empty()) example.line = text_.line[i];
    if (example.source.empty()) return skip("no known token", source_file(text_.files), i);
    if (example.target.empty()) return skip("no known token", target_file(text_.files), i);
    if (tag_) example.source.insert(example.source.begin(), *tag_);
    if (!fit(example, i)) return;
    if (config_.source_eos) example.source.push_back(tokenizers_.source->special().eos);
    corpus_.source_tokens += std::ssize(example.source);
    corpus_.target_tokens += std::ssize(example.target) + 1;
    corpus_.source_unknown += std::ssize(source_unknown);
    corpus_.target_unknown += std::ssize(target_unknown);
    corpus_.examples.push_back(example);
    corpus_.lines.push_back(static_cast<std::int64_t>(i));
  }

  /// Returns true if the pair is within max_length, after truncation if the config requires it.
  /// Records pairs that are skipped or truncated.
  bool fit(Example& example, std::size_t i) {
    const std::int64_t longest = config_.resolved_max_length();
    const std::int64_t source_limit = longest - (config_.source_eos ? 1 : 0);
    const std::int64_t target_limit = longest - 1;
    const bool long_source = std::ssize(example.source) > source_limit;
    const bool long_target = std::ssize(example.target) > target_limit;
    if (!long_source && !long_target) return true;
    const std::string reason = "over " + std::to_string(longest) + " tokens";
    const auto& file = long_source ? source_file(text_.files) : target_file(text_.files);
    const LongLines policy = config_.fixed_length > 0 ? LongLines::truncate : config_.long_lines;
    if (policy == LongLines::error) {
      throw DataError(
          LinePlace{file, text_.line[i]}.text(), reason,
          "Shorten the line, raise data.max_length, or set data.long_lines to skip or truncate.");
    }
    if (policy == LongLines::skip) {
      skip(reason, file, i);
      return false;
    }
    if (long_source) example.source.resize(static_cast<std::size_t>(source_limit));
    if (long_target) example.target.resize(static_cast<std::size_t>(target_limit));
    record_skip(corpus_.skipped, {.reason = reason, .count = 0, .first = {}, .truncated = true},
                {file, text_.line[i]});
    return true;
  }

  void skip(const std::string& reason, const std::filesystem::path& file, std::size_t i) {
    record_skip(corpus_.skipped, {.reason = reason, .count = 0, .first = {}, .truncated = false},
                {file, text_.line[i]});
  }

  const ParallelText& text_;
  const TokenizerPair& tokenizers_;
  const DataConfig& config_;
  std::optional<TokenId> tag_;
  Corpus corpus_;
};

/// Returns the ends of `count` consecutive ranges of pairs with about the same number of bytes.
std::vector<std::size_t> range_ends(const ParallelText& text, std::size_t count) {
  const auto bytes = [&](std::size_t i) { return text.source[i].size() + text.target[i].size(); };
  const std::size_t pairs = text.source.size();
  std::size_t all = 0;
  for (std::size_t i = 0; i < pairs; ++i) all += bytes(i);
  std::vector<std::size_t> ends;
  std::size_t seen = 0;
  for (std::size_t i = 0; i < pairs && ends.size() + 1 < count; ++i) {
    if (seen >= all * (ends.size() + 1) / count) ends.push_back(i);
    seen += bytes(i);
  }
  ends.push_back(pairs);
  return ends;
}

/// Encodes on this number of threads. The calling thread calls show(n) when n pairs are encoded.
Corpus encode_ranges(const ParallelText& text, const TokenizerPair& tokenizers,
                     const DataConfig& config, std::int64_t threads, const OnPairs& show) {
  require_special_tokens(tokenizers, config);
  const auto ends = range_ends(text, static_cast<std::size_t>(std::max<std::int64_t>(1, threads)));
  std::vector<Corpus> parts(ends.size());
  std::atomic<std::size_t> encoded = 0;
  parallel_for(ends.size(), std::ssize(ends), [&](std::size_t first, std::size_t last) {
    const auto on_pairs = [&](std::size_t pairs) {
      const auto all = encoded += pairs;
      if (first == 0) show(all);
    };
    for (auto i = first; i < last; ++i)
      parts[i] =
          RangeEncoder(text, tokenizers, config).encode(i > 0 ? ends[i - 1] : 0, ends[i], on_pairs);
  });
  Corpus corpus = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    append(corpus, parts[i]);
    parts[i] = {};  // frees its memory
  }
  return corpus;
}

}  // namespace

std::vector<std::int64_t> Corpus::lengths(std::int64_t fixed) const {
  std::vector<std::int64_t> lengths;
  lengths.reserve(examples.size());
  for (std::size_t i = 0; i < examples.size(); ++i)
    lengths.push_back(examples.lengths(i).in_batch(fixed));
  return lengths;
}

float Corpus::weight(std::size_t i, std::int64_t line) const {
  const auto at = static_cast<std::int64_t>(i);
  for (const WeightedExamples& part : weights)
    if (part.begin <= at && at < part.end) return part.weights.of_line(line);
  return 1;
}

Corpus encode_part(const ParallelText& text, const TokenizerPair& tokenizers,
                   const DataConfig& config, std::int64_t threads) {
  return encode_ranges(text, tokenizers, config, threads, [](std::size_t) {});
}

Corpus encode_corpus(const ParallelText& text, const TokenizerPair& tokenizers,
                     const DataConfig& config, std::int64_t threads) {
  WorkProgress progress("encoding the text", "pair");
  const auto all = static_cast<double>(std::max<std::size_t>(1, text.source.size()));
  const auto show = [&](std::size_t pairs) {
    progress.show(static_cast<std::int64_t>(pairs), static_cast<double>(pairs) / all);
  };
  Corpus corpus = encode_ranges(text, tokenizers, config, threads, show);
  require_examples(corpus, text.files);
  return corpus;
}

void require_examples(const Corpus& corpus, const ParallelFiles& files) {
  if (!corpus.examples.empty()) return;
  std::string reasons;
  for (const std::string& line : describe(corpus.skipped)) reasons += "\n  " + line;
  throw DataError(source_file(files).string(), "no sentence pair is left" + reasons,
                  "Raise data.max_length, or check the vocabulary.");
}

void append(Corpus& corpus, const Corpus& part) {
  corpus.examples.append(part.examples);
  std::ranges::copy(part.lines, std::back_inserter(corpus.lines));
  add_skips(corpus.skipped, part.skipped);
  corpus.source_tokens += part.source_tokens;
  corpus.target_tokens += part.target_tokens;
  corpus.source_unknown += part.source_unknown;
  corpus.target_unknown += part.target_unknown;
}

}  // namespace tfm
