// The limits of a translation service. Each quantity that clients can make grow has one, so that
// the memory of the service is bounded whatever clients send.
#pragma once

#include <cstdint>

namespace tfm {

struct ServeLimits {
  std::int64_t body_bytes = std::int64_t{1} << 20;  ///< of a request; above: 413
  std::int64_t texts = 1000;                        ///< texts of a request; above: 413
  /// characters (code points) of all texts of a request together; above: 413
  std::int64_t characters = 50'000;
  /// lines of all requests that wait for a translation; above: 503, or 413 if one request alone has
  /// more
  std::int64_t waiting_lines = 10'000;
  /// open connections; above: the connection that has been idle longest is closed, or the new one
  /// is answered with 503 if all are busy
  std::int64_t connections = 1000;
  std::int64_t cache_bytes = std::int64_t{64} << 20;  ///< of remembered translations; 0: none
  std::int64_t attention_weights = 2'000'000;         ///< of a reply of /attention; above: 400
  std::int64_t suggestion_bytes = std::int64_t{16}
                                  << 20;  ///< of the file of suggestions; above: 507
  std::int64_t files = 100;               ///< translated files that clients have yet to download
  std::int64_t file_bytes = std::int64_t{64} << 20;  ///< of these files together
  double file_seconds = 1800;                        ///< for which a translated file is kept
  double request_seconds = 60;  ///< from a complete request to its reply; above: 503
  /// for a client to agree on keys (TLS), to send the next request's header, to send its body, and
  /// to receive the reply; above: the connection is closed
  double client_seconds = 30;
  double drain_seconds = 30;  ///< to finish accepted requests after a signal to stop
};

}  // namespace tfm
