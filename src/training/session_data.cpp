#include "session_data.h"

#include <algorithm>

#include "tfm/core/log.h"
#include "tfm/data/text_checksum.h"
#include "tfm/data/text_overlap.h"
#include "tfm/data/training_corpus.h"
#include "tfm/metrics/bleu_tokenizer.h"
#include "tfm/run/fingerprint_text.h"
#include "tfm/training/run_report.h"

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

}  // namespace

SessionText load_text(const DataConfig& data) {
  SessionText text;
  text.train = read_text(require_train_files(data), data.bad_lines, "training");
  if (const auto valid = valid_files(data); !valid.empty()) {
    text.valid = read_text(valid, data.bad_lines, "validation");
    text.overlap = {std::ssize(text.valid->source), count_shared_pairs(*text.valid, text.train)};
  }
  for (const auto& [name, set] : extra_valid_files(data)) {
    text.valid_sets.emplace_back(
        name, read_text(set, data.bad_lines, ("validation (" + name + ")").c_str()));
  }
  text.summary = summarize(text.train);
  text.train_checksum = text.summary.checksum;
  return text;
}

void add_other_direction(SessionText& text, const DataConfig& data) {
  if (!data.bidirectional) return;
  text.train = with_reversed_pairs(std::move(text.train));
  text.train_checksum = checksum(text.train);
}

Fingerprints fingerprints_of(const SessionText& text, const Config& config) {
  return {.data = with_settings(text.train_checksum, batch_content_text(config)),
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
