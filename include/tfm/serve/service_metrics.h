// What a service counts, for GET /metrics in the text format of Prometheus. No label holds an
// address or a key of a client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tfm/serve/engine.h"
#include "tfm/serve/served_models.h"

namespace tfm {

class ServiceMetrics {
 public:
  ServiceMetrics();
  ~ServiceMetrics();

  /// Counts a request, which is in flight until it is finished. `route` is one of the service's
  /// paths, not what a client sent.
  class Request;
  std::shared_ptr<Request> begin_request(std::string_view route);

  void add_line(const LineReport& line);
  /// Counts a line whose translation was remembered.
  void add_cached_line();
  /// Counts that sentences have joined a batch, which now has this number of sentences.
  void add_joined_batch(std::size_t sentences);
  void add_tokens(const TokenCount& tokens);
  void add_characters(std::int64_t characters);
  /// Returns the number of characters that have been sent for translation.
  std::int64_t characters() const;

  /// Returns all metrics; `waiting_lines` is the present length of the queue.
  std::string text(std::size_t waiting_lines) const;

 private:
  class Families;
  std::shared_ptr<Families> families_;
};

/// May outlive the ServiceMetrics.
class ServiceMetrics::Request {
 public:
  Request(std::shared_ptr<Families> families, std::string_view route);
  /// Counts a request that is not finished as cancelled.
  ~Request();
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  /// Counts the reply. Only the first call counts.
  void finish(int status) { end(std::to_string(status)); }

 private:
  void end(const std::string& status);

  std::shared_ptr<Families> families_;
  std::string route_;
  double begin_;
  bool is_finished_ = false;
};

}  // namespace tfm
