#include "segment_search.h"

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>

#include "batch_workers.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/out_of_memory.h"
#include "tfm/data/batcher.h"
#include "tfm/model/batch.h"
#include "tfm/model/model_files.h"
#include "tfm/search/ensemble.h"
#include "tfm/search/penalties.h"
#include "tfm/search/search.h"
#include "tfm/tokenizer/required_piece.h"
#include "tfm/translate/shortlist_vocabulary.h"
#include "transformer_step_model.h"

namespace tfm {
namespace {

/// Returns the paths of the weight files of all models that were loaded from a folder.
std::string weights_files(const std::vector<TranslationModel*>& models) {
  std::string files;
  for (const TranslationModel* model : models) {
    if (model->folder.empty()) continue;
    files += (files.empty() ? "" : ", ") + (model->folder / weights_file).string();
  }
  return files;
}

/// Returns true if the result of a row does not depend on the other rows of its batch, provided
/// that PackedWeights makes the matrix multiplications batch-invariant. This holds for decoding
/// with an IndirectKvCache, which computes the attention of each row separately. A coverage penalty
/// requires another cache.
bool is_batch_invariant(TranslationModel& model, const DecodingConfig& decoding) {
  return decoding.coverage_penalty == 0 && model.network->supports_indirect_cache();
}

}  // namespace

SegmentSearch::SegmentSearch(const std::vector<TranslationModel*>& models,
                             const DecodingConfig& decoding, const SentenceFrame& frame)
    : models_(models),
      model_(*models_.front()),
      decoding_(decoding),
      frame_(frame),
      stop_(require_piece(*model_.tokenizers.target, decoding.stop_token, stop_token_field)
                .value_or(-1)),
      shortlist_(load_shortlist(model_.folder, model_.tokenizers, decoding)),
      inference_(
          models_, decoding,
          {.batch_invariant = decoding.reproducible, .selects_tokens = shortlist_.has_value()}) {
  // Kernels that process several sentences may choose their algorithm by batch size and padding.
  // With such kernels, only batches of one segment are reproducible.
  for (TranslationModel* model : models_)
    one_segment_per_batch_ |= decoding.reproducible && !is_batch_invariant(*model, decoding);
}

/// Returns batches of segment indices; segments of similar length are batched together.
std::vector<std::vector<std::int64_t>> SegmentSearch::batches(
    const std::vector<Segment>& segments) const {
  std::vector<std::int64_t> lengths;
  lengths.reserve(segments.size());
  for (const auto& segment : segments) lengths.push_back(std::ssize(segment.source.ids));
  return one_segment_per_batch_
             ? length_sorted_batches(lengths, BatchType::sentences, 1)
             : length_sorted_batches(lengths, decoding_.batch_type, decoding_.batch_size);
}

/// Returns SearchRequest::forbidden.
TokenIds SegmentSearch::forbidden_tokens() const {
  const auto& special = model_.tokenizers.target->special();
  TokenIds tokens = frame_.target_tags();
  for (const TokenId id :
       {special.pad, special.bos, decoding_.replace_unknown ? -1 : special.unk}) {
    if (id >= 0) tokens.push_back(id);
  }
  return tokens;
}

TokenIds SegmentSearch::banned_after_prefix(const Segment& segment) const {
  const auto& constraints = segment.constraints;
  TokenIds banned = forbidden_tokens();
  ban_phrases(constraints.prefix, constraints.forbidden, banned);
  ban_repeated_ngrams(constraints.prefix, decoding_.no_repeat_ngram_size, banned);
  if (stop_ >= 0) banned.push_back(stop_);
  return banned;
}

SearchRequest SegmentSearch::make_search_request(const Members& batch,
                                                 const TranslationRequest& request) const {
  SearchRequest result;
  const auto& special = model_.tokenizers.target->special();
  result.bos = special.bos;
  result.target_tag = frame_.target_tag().value_or(-1);
  result.eos = special.eos;
  result.stop = stop_;
  result.alternatives = request.alternatives;
  result.forbidden = forbidden_tokens();
  bool constraints = false;
  for (const Segment* segment : batch) {
    result.max_lengths.push_back(segment->max_length);
    result.source_lengths.push_back(std::ssize(segment->source.ids));
    const auto line = static_cast<std::uint64_t>(request.first_line) + segment->line;
    result.streams.push_back((line << 16) + segment->part);  // one stream per segment
    result.constraints.push_back(segment->constraints);
    constraints |= !(segment->constraints.prefix.empty() && segment->constraints.forced.empty() &&
                     segment->constraints.forbidden.empty());
  }
  if (!constraints) result.constraints.clear();
  return result;
}

SearchResult SegmentSearch::search_batch(const Members& batch,
                                         const TranslationRequest& request) const {
  std::vector<TokenIds> rows;
  rows.reserve(batch.size());
  for (const Segment* segment : batch) rows.push_back(segment->source.ids);
  const auto source = pad_sequences(rows, model_.tokenizers.source->special().pad);
  auto search_request = make_search_request(batch, request);
  std::optional<ShortlistVocabulary> local;
  if (shortlist_) {
    local.emplace(shortlist_->allowed_tokens(rows), search_request,
                  model_.tokenizers.target->size());
    search_request = local->to_shortlist(std::move(search_request));
  }
  std::vector<std::unique_ptr<StepModel>> steps;
  StepOptions options{
      .context = {},
      .wants_attention = decoding_.coverage_penalty > 0,
      .tokens = local ? std::span(local->tokens()) : std::span<const TokenId>(),
      // An ensemble needs the log-probability of each token from all its models.
      .top_tokens = models_.size() == 1 ? count_inspected_tokens(search_request, decoding_) : 0};
  for (std::size_t i = 0; i < models_.size(); ++i) {
    options.context = inference_.context(i);
    steps.push_back(std::make_unique<TransformerStepModel>(models_[i]->network,
                                                           source.to(models_[i]->device), options));
  }
  auto found = run_search(std::move(steps), search_request);
  return local ? local->to_full(std::move(found)) : found;
}

SearchResult SegmentSearch::run_search(std::vector<std::unique_ptr<StepModel>> steps,
                                       const SearchRequest& request) const {
  try {
    if (steps.size() == 1) return tfm::search(*steps.front(), request, decoding_);
    EnsembleStepModel together(std::move(steps), decoding_.ensemble_mean);
    return tfm::search(together, request, decoding_);
  } catch (const NonFiniteError& error) {  // the search does not know where the weights come from
    throw NonFiniteError(weights_files(models_), error.problem(), error.hint());
  }
}

namespace {

/// Counts the translated source tokens and passes their share to on_batch. Several threads may call
/// add.
class TokenProgress {
 public:
  TokenProgress(const std::vector<Segment>& segments, const std::function<void(double)>& on_batch)
      : on_batch_(on_batch) {
    for (const auto& segment : segments) total_ += segment.source.ids.size();
  }

  void add(std::size_t tokens) {
    if (!on_batch_) return;
    const std::lock_guard lock(mutex_);
    done_ += tokens;
    on_batch_(static_cast<double>(done_) / static_cast<double>(std::max<std::size_t>(total_, 1)));
  }

 private:
  const std::function<void(double)>& on_batch_;
  std::mutex mutex_;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
};

}  // namespace

SearchResult SegmentSearch::search(const std::vector<Segment>& segments,
                                   const TranslationRequest& request) const {
  const Inference::Use use(inference_);
  SearchResult found(segments.size());
  const auto all = batches(segments);
  TokenProgress progress(segments, request.on_batch);
  for_each_batch(all.size(), inference_, [&](std::size_t number) {
    if (request.interruptible) throw_if_interrupted("a translation");
    const auto& batch = all[number];
    std::size_t tokens = 0;
    for (const auto i : batch) tokens += segments[static_cast<std::size_t>(i)].source.ids.size();
    halve_until_memory_suffices(batch.size(), [&](std::size_t begin, std::size_t end) {
      Members members;
      members.reserve(end - begin);
      for (std::size_t i = begin; i < end; ++i)
        members.push_back(&segments[static_cast<std::size_t>(batch[i])]);
      auto result = search_batch(members, request);
      for (std::size_t i = begin; i < end; ++i)
        found[static_cast<std::size_t>(batch[i])] = std::move(result[i - begin]);
    });
    progress.add(tokens);
  });
  return found;
}

}  // namespace tfm
