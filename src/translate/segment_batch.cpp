#include "segment_batch.h"

#include <algorithm>
#include <utility>

#include "tfm/core/error.h"
#include "tfm/model/batch.h"
#include "tfm/search/ensemble.h"
#include "tfm/tensor/device.h"

namespace tfm {
namespace {

/// Returns how many of the most probable tokens all requests look at, or 0 if one looks at all.
std::int64_t most_inspected_tokens(const std::vector<SearchRequest>& requests,
                                   const DecodingConfig& decoding) {
  std::int64_t most = 0;
  for (const auto& request : requests) {
    const auto count = count_inspected_tokens(request, decoding);
    if (count == 0) return 0;
    most = std::max(most, count);
  }
  return most;
}

/// Returns false if logits are enough for all requests.
bool any_needs_log_probs(const std::vector<SearchRequest>& requests,
                         const DecodingConfig& decoding) {
  return std::ranges::any_of(
      requests, [&](const SearchRequest& request) { return needs_log_probs(request, decoding); });
}

}  // namespace

std::int64_t SegmentBatch::source_tokens() const {
  std::int64_t tokens = 0;
  for (const auto& member : members_) tokens += std::ssize(member.given.segment->source.ids);
  return tokens;
}

void SegmentBatch::join(std::vector<BatchArrival> arrivals) {
  std::vector<TokenIds> rows;
  std::vector<SearchRequest> requests;
  auto next = members_.size();
  for (auto& [members, request] : arrivals) {
    std::vector<const Segment*> segments;
    for (auto& member : members) {
      rows.push_back(member.segment->source.ids);
      segments.push_back(member.segment);
      members_.push_back({std::move(member), nullptr, segments.size() - 1});
    }
    requests.push_back(setup_.make_search_request(segments, *request));
  }
  const auto& model = *setup_.models().front();
  if (setup_.shortlist()) {
    local_.emplace(setup_.shortlist()->allowed_tokens(rows), requests,
                   model.tokenizers.target->size());
    for (auto& request : requests) request = local_->to_shortlist(std::move(request));
  }
  add_sentences(pad_sequences(rows, model.tokenizers.source->special().pad), requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto make_search = choose_factory(requests[i], setup_.decoding());
    const auto searches = std::make_shared<RequestSearches>(
        std::move(requests[i]), setup_.decoding(), model_->vocab_size(), make_search);
    searches->join(*running_);
    for (std::size_t left = arrivals[i].members.size(); left > 0; --left)
      members_[next++].searches = searches;
  }
}

/// Encodes source [B, S], the sentences of the requests, as the newest sentences of the models.
void SegmentBatch::add_sentences(const torch::Tensor& source,
                                 const std::vector<SearchRequest>& requests) {
  const auto& models = setup_.models();
  // An ensemble needs the log-probability of each token from all its models.
  const bool log_probs = models.size() > 1 || any_needs_log_probs(requests, setup_.decoding());
  if (model_) {
    for (std::size_t i = 0; i < models.size(); ++i) {
      steps_[i]->join(upload(source, models[i]->device));
      if (log_probs) steps_[i]->require_log_probs();
    }
    return;
  }
  StepOptions options{
      .context = {},
      .wants_attention = setup_.decoding().coverage_penalty > 0,
      .tokens = local_ ? std::span(local_->tokens()) : std::span<const TokenId>(),
      .top_tokens = models.size() == 1 ? most_inspected_tokens(requests, setup_.decoding()) : 0,
      .log_probs = log_probs};
  std::vector<std::unique_ptr<StepModel>> steps;
  for (std::size_t i = 0; i < models.size(); ++i) {
    options.context = setup_.inference().context(i);
    auto step = std::make_unique<TransformerStepModel>(models[i]->network,
                                                       upload(source, models[i]->device), options);
    steps_.push_back(step.get());
    steps.push_back(std::move(step));
  }
  if (steps.size() == 1) {
    model_ = std::move(steps.front());
  } else {
    model_ = std::make_unique<EnsembleStepModel>(std::move(steps), setup_.decoding().ensemble_mean);
  }
  running_.emplace(*model_);
}

void SegmentBatch::step() {
  remove_unneeded();
  if (empty()) return;
  try {
    running_->step();
  } catch (const NonFiniteError& error) {  // the search does not know where the weights come from
    throw NonFiniteError(setup_.weights_files(), error.problem(), error.hint());
  }
  remove_finished();
}

void SegmentBatch::remove_unneeded() {
  std::erase_if(members_, [this](const Member& member) {
    if (!member.given.stop.stop_requested()) return false;
    running_->remove(member.search());
    member.given.done({});
    return true;
  });
  if (empty()) reset();
}

void SegmentBatch::remove_finished() {
  std::erase_if(members_, [this](const Member& member) {
    auto& search = member.search();
    if (!search.rows().empty()) return false;
    auto hypotheses = search.result();
    member.given.done(local_ ? local_->to_full({std::move(hypotheses)}).front()
                             : std::move(hypotheses));
    return true;
  });
  if (empty()) reset();
}

void SegmentBatch::abandon() {
  for (auto& member : members_) member.given.done({});
  members_.clear();
  reset();
}

void SegmentBatch::reset() {
  running_.reset();
  model_.reset();
  steps_.clear();
  local_.reset();
}

}  // namespace tfm
