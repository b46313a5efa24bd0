#include "shared_search.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <semaphore>
#include <thread>

#include "segment_batch.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

/// A call of search that is not complete.
struct Call {
  Call(const std::vector<Segment>& given, const TranslationRequest& its_request)
      : segments(given), request(its_request), found(given.size()), remaining(given.size()) {}

  /// Takes the hypotheses of a segment that has left its batch; none if the batch was abandoned.
  void take(std::size_t index, std::vector<Hypothesis> hypotheses) {
    found[index] = std::move(hypotheses);
    if (--remaining == 0) complete.release();
  }

  const std::vector<Segment>& segments;
  const TranslationRequest& request;
  SearchResult found;
  std::atomic<std::size_t> remaining;
  std::binary_semaphore complete{0};
};

/// A segment that waits for a batch.
struct WaitingSegment {
  std::shared_ptr<Call> call;
  std::size_t index = 0;

  const Segment& segment() const { return call->segments[index]; }
  std::int64_t tokens() const { return std::ssize(segment().source.ids); }
};

/// Groups segments of the same call.
std::vector<BatchArrival> to_arrivals(const std::vector<WaitingSegment>& taken) {
  std::vector<BatchArrival> arrivals;
  for (const WaitingSegment& each : taken) {
    Call& call = *each.call;
    if (arrivals.empty() || arrivals.back().request != &call.request)
      arrivals.push_back({{}, &call.request});
    arrivals.back().members.push_back({&each.segment(),
                                       [each](std::vector<Hypothesis> hypotheses) {
                                         each.call->take(each.index, std::move(hypotheses));
                                       },
                                       call.request.stop});
  }
  return arrivals;
}

}  // namespace

class SharedSearch::Queue {
 public:
  Queue(const SearchSetup& setup, const SharedBatches& options) : setup_(setup), options_(options) {
    for (std::size_t i = 0; i < options.workers; ++i)
      workers_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }

  void add(const std::shared_ptr<Call>& call) {
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; i < call->segments.size(); ++i) waiting_.push_back({call, i});
    }
    call->segments.size() == 1 ? changed_.notify_one() : changed_.notify_all();
  }

 private:
  void work(const std::stop_token& stop) {
    const Inference::Use use(setup_.inference());
    SegmentBatch batch(setup_);
    while (true) {
      const auto taken = take(batch, stop);
      if (taken.empty() && batch.empty()) return;
      advance(batch, taken);
    }
  }

  /// Returns the segments that join the batch now. Waits if the batch is empty, and returns none if
  /// the batch is empty and the queue stops.
  std::vector<WaitingSegment> take(const SegmentBatch& batch, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!batch.empty()) {
      const bool leaves_to_others = idle_ > 0 || !batch.can_join();
      return leaves_to_others ? std::vector<WaitingSegment>()
                              : take_at_most(waiting_.size(), batch);
    }
    ++idle_;
    changed_.wait(lock, stop, [this] { return !waiting_.empty(); });
    const auto share = setup_.one_segment_per_batch() ? 1 : (waiting_.size() + idle_ - 1) / idle_;
    --idle_;
    return take_at_most(share, batch);
  }

  std::vector<WaitingSegment> take_at_most(std::size_t count, const SegmentBatch& batch) {
    std::vector<WaitingSegment> taken;
    auto size = batch.size();
    auto tokens = batch.source_tokens();
    while (taken.size() < count && !waiting_.empty() && size < options_.sentences) {
      tokens += waiting_.front().tokens();
      if (size > 0 && tokens > options_.tokens) break;
      taken.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
      ++size;
    }
    return taken;
  }

  /// Lets segments join the batch, and the batch make a step. If that fails, all its calls fail.
  void advance(SegmentBatch& batch, const std::vector<WaitingSegment>& taken) {
    try {
      if (!taken.empty()) {
        batch.join(to_arrivals(taken));
        if (options_.on_join) options_.on_join(batch.size());
      }
      batch.step();
    } catch (const std::exception& error) {
      log_debug("a batch failed, and its lines are translated separately: {}", error.what());
      batch.abandon();
    }
  }

  const SearchSetup& setup_;
  const SharedBatches options_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<WaitingSegment> waiting_;
  std::size_t idle_ = 0;               // workers without a batch
  std::vector<std::jthread> workers_;  // the last member: threads use the others
};

SharedSearch::SharedSearch(const SearchSetup& setup, const SharedBatches& options)
    : queue_(std::make_unique<Queue>(setup, options)) {}

SharedSearch::~SharedSearch() = default;

std::optional<SearchResult> SharedSearch::search(const std::vector<Segment>& segments,
                                                 const TranslationRequest& request) {
  const auto call = std::make_shared<Call>(segments, request);
  if (!segments.empty()) {
    queue_->add(call);
    call->complete.acquire();
  }
  if (request.stop.stop_requested()) throw Interrupted("the translation was cancelled");
  const auto is_missing = [](const std::vector<Hypothesis>& found) { return found.empty(); };
  if (std::ranges::any_of(call->found, is_missing)) return std::nullopt;
  return std::move(call->found);
}

}  // namespace tfm
