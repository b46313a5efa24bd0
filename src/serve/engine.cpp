#include "tfm/serve/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "tfm/core/clock.h"
#include "tfm/core/log.h"
#include "tfm/translate/next_words.h"

namespace tfm {
namespace {

/// A request that is not complete.
struct Job {
  Engine::Ticket ticket = 0;
  std::vector<Engine::Line> lines;
  std::size_t next = 0;       // the first line that waits
  std::size_t completed = 0;  // number of translated lines
  std::vector<LineTranslation> results;
  std::exception_ptr error;
  Engine::Done done;
  bool is_over = false;  // complete, failed or cancelled
  double begin = 0;      // when it was submitted, in steady_seconds

  std::size_t waiting() const { return lines.size() - next; }
};

struct BatchLine {
  std::shared_ptr<Job> job;
  std::size_t line = 0;
};

/// Returns about how much work a line is, in bytes of text that are translated.
std::size_t line_cost(const Engine::Line& line) {
  const auto& [words, next_words, prefix, attention_target] = line.details;
  const auto searches = static_cast<std::size_t>(1 + searches_per_next_word * next_words);
  return (line.text.size() + prefix.size() + attention_target.size()) * searches;
}

using Batch = std::vector<BatchLine>;
using Completion = std::function<void()>;

std::vector<LineTranslation> translate_lines(const Batch& batch) {
  std::vector<LaneLine> lines;
  lines.reserve(batch.size());
  for (const auto& [job, number] : batch) {
    const auto& line = job->lines[number];
    lines.push_back({line.text, line.tag, line.details});
  }
  const auto& lane = batch.front().job->lines[batch.front().line].lane;
  return (*lane)(lines);
}

double oldest_begin(const Batch& batch) {
  double begin = batch.front().job->begin;
  for (const auto& [job, line] : batch) begin = std::min(begin, job->begin);
  return begin;
}

/// Splits a batch into one batch per request.
std::vector<Batch> split_by_job(const Batch& batch) {
  std::map<Engine::Ticket, Batch> jobs;
  for (const auto& each : batch) jobs[each.job->ticket].push_back(each);
  std::vector<Batch> parts;
  for (auto& [ticket, part] : jobs) parts.push_back(std::move(part));
  return parts;
}

}  // namespace

class Engine::Queue {
 public:
  explicit Queue(const EngineOptions& options) : options_(options) {
    for (std::size_t i = 0; i < options.workers; ++i) workers_.emplace_back([this] { work(); });
  }

  ~Queue() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

  Ticket submit(std::vector<Line> lines, Done done) {
    if (lines.size() > options_.waiting_lines)
      throw HttpError(413, fmt::format("the request has {} lines; at most {} are possible",
                                       lines.size(), options_.waiting_lines));
    auto job = std::make_shared<Job>();
    {
      const std::lock_guard lock(mutex_);
      if (waiting_ + lines.size() > options_.waiting_lines)
        throw HttpError(503, "too many requests are waiting; try again later");
      job->ticket = ++last_ticket_;
      job->results.resize(lines.size());
      job->lines = std::move(lines);
      job->done = std::move(done);
      job->begin = steady_seconds();
      if (waiting_ == 0) ready_at_ = Clock::now() + delay();
      waiting_ += job->lines.size();
      turns_.push_back(job);
      jobs_[job->ticket] = job;
    }
    changed_.notify_all();
    return job->ticket;
  }

  void cancel(Ticket ticket) {
    const std::lock_guard lock(mutex_);
    const auto found = jobs_.find(ticket);
    if (found != jobs_.end()) end_job(found->second);
  }

  std::size_t waiting() const {
    const std::lock_guard lock(mutex_);
    return waiting_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::duration delay() const {
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(options_.delay));
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      if (!wait_for_batch(lock)) return;
      const auto batch = take_batch();
      ++busy_;
      lock.unlock();
      changed_.notify_all();  // the other lines need not wait any longer
      const double begin = steady_seconds();
      translate(batch);
      if (options_.on_batch)
        options_.on_batch({batch.size(), begin - oldest_begin(batch), steady_seconds() - begin});
      lock.lock();
      --busy_;
    }
  }

  /// Waits until lines are waiting and have waited for the delay, or fill a batch. Returns false if
  /// the engine stops.
  bool wait_for_batch(std::unique_lock<std::mutex>& lock) {
    while (true) {
      changed_.wait(lock, [this] { return stopping_ || waiting_ > 0; });
      if (stopping_) return false;
      changed_.wait_until(lock, Clock::time_point(ready_at_), [this] {
        return stopping_ || waiting_ == 0 || waiting_ >= options_.batch_lines ||
               Clock::now() >= ready_at_;
      });
      if (stopping_) return false;
      if (waiting_ > 0) return true;  // otherwise, another worker has taken the lines
    }
  }

  /// Takes one line per request and turn. All idle workers get an equal share of the lines.
  Batch take_batch() {
    const std::size_t idle = options_.workers - busy_;
    const std::size_t share = (waiting_ + idle - 1) / idle;
    const std::size_t most = std::min(options_.batch_lines, share);
    const auto lane = turns_.front()->lines[turns_.front()->next].lane;
    Batch batch;
    std::deque<std::shared_ptr<Job>> passed;  // jobs whose next line is of another lane
    std::size_t cost = 0;
    while (!turns_.empty() && batch.size() < most && cost < options_.batch_bytes) {
      auto job = std::move(turns_.front());
      turns_.pop_front();
      if (job->lines[job->next].lane != lane) {
        passed.push_back(std::move(job));
        continue;
      }
      cost += line_cost(job->lines[job->next]);
      batch.push_back({job, job->next++});
      --waiting_;
      if (job->waiting() > 0) turns_.push_back(std::move(job));
    }
    turns_.insert(turns_.begin(), passed.begin(), passed.end());
    ready_at_ = {};
    return batch;
  }

  /// Translates a batch. If the lane throws, translates the lines of each request separately, so
  /// that only the requests that cause the failure fail.
  void translate(const Batch& batch) {
    try {
      complete(batch, translate_lines(batch));
    } catch (const std::exception& error) {
      const auto parts = split_by_job(batch);
      if (parts.size() == 1) {
        log_error("a translation failed: {}", error.what());
        return fail(parts.front().front().job, std::current_exception());
      }
      for (const auto& part : parts) {
        if (!is_over(*part.front().job)) translate(part);
      }
    }
  }

  bool is_over(const Job& job) const {
    const std::lock_guard lock(mutex_);
    return job.is_over;
  }

  void complete(const Batch& batch, std::vector<LineTranslation> translations) {
    std::vector<Completion> completions;
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        const auto& [job, line] = batch[i];
        if (job->is_over) continue;
        if (translations[i].error) {
          job->error = std::make_exception_ptr(*translations[i].error);
          job->results.clear();
        } else {
          job->results[line] = std::move(translations[i]);
          if (++job->completed < job->lines.size()) continue;
        }
        end_job(job);
        completions.emplace_back([job] { job->done({std::move(job->results), job->error}); });
      }
    }
    for (const auto& call : completions) call();
  }

  void fail(const std::shared_ptr<Job>& job, const std::exception_ptr& error) {
    {
      const std::lock_guard lock(mutex_);
      if (job->is_over) return;
      end_job(job);
    }
    job->done({{}, error});
  }

  /// Removes the job and its waiting lines. The caller holds the lock.
  void end_job(const std::shared_ptr<Job> job) {  // a copy: the entry of jobs_ is erased
    job->is_over = true;
    waiting_ -= job->waiting();
    job->next = job->lines.size();
    std::erase(turns_, job);
    jobs_.erase(job->ticket);
  }

  const EngineOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Job>> turns_;  // jobs with waiting lines; the front is next
  std::map<Ticket, std::shared_ptr<Job>> jobs_;
  std::size_t waiting_ = 0;     // lines
  Clock::time_point ready_at_;  // when the waiting lines have waited for the delay
  std::size_t busy_ = 0;        // workers
  Ticket last_ticket_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> workers_;  // the last member: threads use the others
};

Engine::Engine(const EngineOptions& options) : queue_(std::make_unique<Queue>(options)) {}

Engine::~Engine() = default;

Engine::Ticket Engine::submit(std::vector<Line> lines, Done done) {
  if (lines.empty()) {
    done({});
    return 0;
  }
  return queue_->submit(std::move(lines), std::move(done));
}

void Engine::cancel(Ticket ticket) { queue_->cancel(ticket); }

std::size_t Engine::waiting() const { return queue_->waiting(); }

}  // namespace tfm
