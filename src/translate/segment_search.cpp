#include "segment_search.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "batch_workers.h"
#include "segment_batch.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/out_of_memory.h"
#include "tfm/data/batcher.h"

namespace tfm {
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

SegmentSearch::SegmentSearch(const std::vector<TranslationModel*>& models,
                             const DecodingConfig& decoding, const SentenceFrame& frame,
                             const SharedBatches& sharing)
    : setup_(models, decoding, frame),
      limit_(setup_.one_segment_per_batch() ? BatchLimit{BatchType::sentences, 1}
                                            : batch_limit(decoding, models)) {
  if (sharing.workers > 0) shared_ = std::make_unique<SharedSearch>(setup_, sharing);
}

/// Returns batches of segment indices; segments of similar length are batched together.
std::vector<std::vector<std::int64_t>> SegmentSearch::batches(
    const std::vector<Segment>& segments) const {
  std::vector<std::int64_t> lengths;
  lengths.reserve(segments.size());
  for (const auto& segment : segments) lengths.push_back(std::ssize(segment.source.ids));
  return length_sorted_batches(lengths, limit_.type, limit_.size);
}

SearchResult SegmentSearch::search(const std::vector<Segment>& segments,
                                   const TranslationRequest& request) const {
  if (shared_) {
    if (auto found = shared_->search(segments, request)) return *std::move(found);
  }
  return search_alone(segments, request);
}

SearchResult SegmentSearch::search_alone(const std::vector<Segment>& segments,
                                         const TranslationRequest& request) const {
  const Inference::Use use(setup_.inference());
  SearchResult found(segments.size());
  const auto all = batches(segments);
  TokenProgress progress(segments, request.on_batch);
  for_each_batch(all.size(), setup_.inference(), [&](std::size_t number) {
    if (request.interruptible) throw_if_interrupted("a translation");
    const auto& batch = all[number];
    std::size_t tokens = 0;
    for (const auto i : batch) tokens += segments[static_cast<std::size_t>(i)].source.ids.size();
    halve_until_memory_suffices(batch.size(), [&](std::size_t begin, std::size_t end) {
      BatchArrival arrival{{}, &request};
      for (std::size_t i = begin; i < end; ++i) {
        const auto index = static_cast<std::size_t>(batch[i]);
        arrival.members.push_back({&segments[index], [&found, index](auto hypotheses) {
                                     found[index] = std::move(hypotheses);
                                   }});
      }
      SegmentBatch running(setup_);
      running.join({std::move(arrival)});
      while (!running.empty()) running.step();
    });
    progress.add(tokens);
  });
  return found;
}

}  // namespace tfm
