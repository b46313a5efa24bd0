#include "tfm/serve/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "tfm/core/clock.h"
#include "tfm/core/log.h"

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
  bool is_over = false;   // complete, failed or cancelled
  std::stop_source stop;  // of its lines
  double begin = 0;       // when it was submitted, in steady_seconds

  std::size_t waiting() const { return lines.size() - next; }
};

using JobPointer = std::shared_ptr<Job>;

LineTranslation translate_line(const Job& job, std::size_t number) {
  const auto& [lane, text, tags, details] = job.lines[number];
  return (*lane)({text, tags, details, job.stop.get_token()});
}

}  // namespace

class Engine::Queue {
 public:
  explicit Queue(const EngineOptions& options) : options_(options) {
    for (std::size_t i = 0; i < options.workers; ++i)
      workers_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }

  ~Queue() {
    for (auto& worker : workers_) worker.request_stop();  // before the first is waited for
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
      waiting_ += job->lines.size();
      turns_.push_back(job);
      jobs_[job->ticket] = job;
    }
    job->lines.size() == 1 ? changed_.notify_one() : changed_.notify_all();
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
  void work(const std::stop_token& stop) {
    while (true) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [this] { return !turns_.empty(); });
      if (stop.stop_requested()) return;
      const auto [job, line] = take_line();
      lock.unlock();
      const double begin = steady_seconds();
      translate(job, line);
      if (options_.on_line) options_.on_line({begin - job->begin, steady_seconds() - begin});
    }
  }

  /// Takes a line of the request whose turn it is. The caller holds the lock.
  std::pair<JobPointer, std::size_t> take_line() {
    auto job = std::move(turns_.front());
    turns_.pop_front();
    --waiting_;
    const std::size_t line = job->next++;
    if (job->waiting() > 0) turns_.push_back(job);
    return {std::move(job), line};
  }

  void translate(const JobPointer& job, std::size_t line) {
    LineTranslation translation;
    std::exception_ptr error;
    try {
      translation = translate_line(*job, line);
      if (translation.error) error = std::make_exception_ptr(*translation.error);
    } catch (const std::exception& thrown) {
      if (!job->stop.stop_requested()) log_error("a translation failed: {}", thrown.what());
      error = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      if (job->is_over) return;
      if (error) {
        job->error = error;
        job->results.clear();
      } else {
        job->results[line] = std::move(translation);
        if (++job->completed < job->lines.size()) return;
      }
      end_job(job);
    }
    job->done({std::move(job->results), job->error});
  }

  /// Removes the job and its waiting lines. The caller holds the lock.
  void end_job(const JobPointer job) {  // a copy: the entry of jobs_ is erased
    job->is_over = true;
    job->stop.request_stop();
    waiting_ -= job->waiting();
    job->next = job->lines.size();
    std::erase(turns_, job);
    jobs_.erase(job->ticket);
  }

  const EngineOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<JobPointer> turns_;  // jobs with waiting lines; the front is next
  std::map<Ticket, JobPointer> jobs_;
  std::size_t waiting_ = 0;  // lines
  Ticket last_ticket_ = 0;
  std::vector<std::jthread> workers_;  // the last member: threads use the others
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
