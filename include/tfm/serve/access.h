// Who may translate, and how often: keys of clients, and requests per minute of a key or, without
// keys, of an address. The memory for clients is bounded.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfm/serve/recently_used.h"

namespace tfm {

struct ApiKey {
  std::string text;
  /// 0: no limit; nullopt: AccessRules::requests_per_minute
  std::optional<std::int64_t> requests_per_minute;
};

/// Reads a file of keys. A line has a key and, optionally, its requests per minute (0: no limit).
/// Empty lines and those that begin with # are skipped. Throws ConfigError if the file can't be
/// read, has no key, or has a line of another form.
std::vector<ApiKey> read_keys(const std::filesystem::path& file);

struct AccessRules {
  std::vector<ApiKey> keys;              ///< if empty, no request needs a key
  std::int64_t requests_per_minute = 0;  ///< of a key or address; 0: no limit
  /// The address of a client is the last one in the header X-Forwarded-For, which a proxy sets.
  bool trust_forwarded_for = false;
};

/// Counts requests per client in a token bucket: a client may make a minute's requests at once, and
/// then one whenever its share of a minute has passed. May be called by several threads.
class RateLimiter {
 public:
  /// Forgets the clients that have been silent longest if there are more than `clients`.
  explicit RateLimiter(std::size_t clients = 10'000) : most_clients_(clients) {}

  /// Counts a request at the time `now` in seconds. Returns how many seconds are missing until the
  /// client may make a request: 0 if it may make this one.
  double take(const std::string& client, std::int64_t requests_per_minute, double now);
  /// Returns the number of clients that are remembered.
  std::size_t clients() const;

 private:
  struct Bucket {
    double requests = 0;  // that the client may make
    double time = 0;      // of the last request
  };

  std::size_t most_clients_;
  mutable std::mutex mutex_;
  RecentlyUsed<Bucket> buckets_;  // by client
};

class AccessControl {
 public:
  explicit AccessControl(AccessRules rules) : rules_(std::move(rules)) {
    replace_keys(std::exchange(rules_.keys, {}));
  }

  bool needs_key() const;
  /// Later requests need one of these keys. May be called while another thread admits requests.
  void replace_keys(std::vector<ApiKey> keys);
  /// Counts a request at the time `now` in seconds. Throws HttpError 400 if it needs a key and has
  /// none, 403 if its key is not valid, and 429 if the client has made too many requests.
  void admit(std::string_view key, const std::string& address, double now);
  /// Returns the address of the client: `peer`, or the one that a trusted proxy names.
  std::string client_address(const std::string& peer, std::string_view forwarded_for) const;

 private:
  AccessRules rules_;  // without keys
  std::atomic<std::shared_ptr<const std::vector<ApiKey>>> keys_;
  RateLimiter limiter_;
};

}  // namespace tfm
