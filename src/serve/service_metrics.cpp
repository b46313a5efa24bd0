#include "tfm/serve/service_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <utility>

#include "tfm/core/clock.h"

namespace tfm {
namespace {

using prometheus::Histogram;

// Upper bounds of the classes of the histograms.
const Histogram::BucketBoundaries second_bounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                0.25,  0.5,    1,     2.5,  5,     10,   60};
const Histogram::BucketBoundaries sentence_bounds{1, 2, 4, 8, 16, 32, 64};

}  // namespace

class ServiceMetrics::Families {
 public:
  void begin_request() { in_flight_.Increment(); }
  void end_request(const std::string& route, const std::string& status, double seconds) {
    in_flight_.Decrement();
    requests_.Add({{"route", route}, {"status", status}}).Increment();
    request_seconds_.Add({{"route", route}}, second_bounds).Observe(seconds);
  }
  void add_line(const LineReport& line) {
    lines_.Increment();
    line_seconds_.Observe(line.seconds);
    wait_seconds_.Observe(line.waited);
  }

  void add_cached_line() { cached_lines_.Increment(); }
  void add_joined_batch(std::size_t sentences) {
    batch_sentences_.Observe(static_cast<double>(sentences));
  }
  void add_tokens(const TokenCount& tokens) {
    source_tokens_.Increment(static_cast<double>(tokens.source));
    target_tokens_.Increment(static_cast<double>(tokens.target));
  }
  prometheus::Counter& characters() { return characters_; }
  std::string text(std::size_t waiting_lines) {
    waiting_.Set(static_cast<double>(waiting_lines));
    return prometheus::TextSerializer().Serialize(registry_.Collect());
  }

 private:
  prometheus::Counter& counter(const std::string& name, const std::string& help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry_).Add({});
  }
  prometheus::Gauge& gauge(const std::string& name, const std::string& help) {
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry_).Add({});
  }
  Histogram& histogram(const std::string& name, const std::string& help,
                       const Histogram::BucketBoundaries& bounds) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry_).Add({}, bounds);
  }

  prometheus::Registry registry_;
  prometheus::Family<prometheus::Counter>& requests_ =
      prometheus::BuildCounter()
          .Name("tfm_requests_total")
          .Help("Requests by route and status; cancelled: the client hung up or waited too long")
          .Register(registry_);
  prometheus::Family<Histogram>& request_seconds_ = prometheus::BuildHistogram()
                                                        .Name("tfm_request_seconds")
                                                        .Help("Time from a request to its reply")
                                                        .Register(registry_);
  prometheus::Gauge& in_flight_ =
      gauge("tfm_requests_in_flight", "Requests that wait for their reply");
  prometheus::Gauge& waiting_ = gauge("tfm_waiting_lines", "Lines that wait for translation");
  prometheus::Counter& lines_ =
      counter("tfm_lines_total", "Lines that were translated or remembered");
  prometheus::Counter& cached_lines_ =
      counter("tfm_cached_lines_total", "Lines whose translation was remembered");
  prometheus::Counter& source_tokens_ =
      counter("tfm_source_tokens_total", "Tokens of the lines that a model translated");
  prometheus::Counter& target_tokens_ =
      counter("tfm_target_tokens_total", "Tokens of the best translations of these lines");
  prometheus::Counter& characters_ =
      counter("tfm_characters_total", "Characters that were sent for translation");
  Histogram& wait_seconds_ =
      histogram("tfm_wait_seconds", "Time from a request to the start of a line", second_bounds);
  Histogram& line_seconds_ = histogram(
      "tfm_line_seconds", "Time from the start of a line to its translation", second_bounds);
  Histogram& batch_sentences_ = histogram(
      "tfm_batch_sentences", "Sentences of a batch when some have joined it", sentence_bounds);
};

ServiceMetrics::ServiceMetrics() : families_(std::make_shared<Families>()) {}

ServiceMetrics::~ServiceMetrics() = default;

std::shared_ptr<ServiceMetrics::Request> ServiceMetrics::begin_request(std::string_view route) {
  return std::make_shared<Request>(families_, route);
}

void ServiceMetrics::add_line(const LineReport& line) { families_->add_line(line); }

void ServiceMetrics::add_cached_line() { families_->add_cached_line(); }

void ServiceMetrics::add_joined_batch(std::size_t sentences) {
  families_->add_joined_batch(sentences);
}

void ServiceMetrics::add_tokens(const TokenCount& tokens) { families_->add_tokens(tokens); }

void ServiceMetrics::add_characters(std::int64_t characters) {
  families_->characters().Increment(static_cast<double>(characters));
}

std::int64_t ServiceMetrics::characters() const {
  return static_cast<std::int64_t>(families_->characters().Value());
}

std::string ServiceMetrics::text(std::size_t waiting_lines) const {
  return families_->text(waiting_lines);
}

ServiceMetrics::Request::Request(std::shared_ptr<Families> families, std::string_view route)
    : families_(std::move(families)), route_(route), begin_(steady_seconds()) {
  families_->begin_request();
}

ServiceMetrics::Request::~Request() { end("cancelled"); }

void ServiceMetrics::Request::end(const std::string& status) {
  if (std::exchange(is_finished_, true)) return;
  families_->end_request(route_, status, steady_seconds() - begin_);
}

}  // namespace tfm
