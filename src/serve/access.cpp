#include "tfm/serve/access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include "tfm/core/error.h"
#include "tfm/serve/http_message.h"

namespace tfm {
namespace {

/// Compares without stopping at the first difference, because the time would otherwise show how
/// much of a guessed key is right.
bool is_equal_in_constant_time(std::string_view a, std::string_view b) {
  std::size_t difference = a.size() ^ b.size();
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i] ^ b[b.empty() ? 0 : i % b.size()]);
  return difference == 0;
}

std::optional<std::int64_t> parse_count(const std::string& text) {
  std::int64_t count = 0;
  const auto* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  constexpr std::int64_t most = 1'000'000'000;
  if (error != std::errc{} || rest != end || count < 0 || count > most) return std::nullopt;
  return count;
}

std::optional<ApiKey> parse_key(const std::string& line) {
  std::istringstream words(line);
  ApiKey key;
  std::string count;
  std::string rest;
  words >> key.text >> count >> rest;
  if (!count.empty()) key.requests_per_minute = parse_count(count);
  const bool is_whole = rest.empty() && (count.empty() || key.requests_per_minute.has_value());
  return is_whole ? std::optional(key) : std::nullopt;
}

/// Returns an address without the port that some proxies add: "1.2.3.4:80" or "[::1]:80".
std::string_view without_port(std::string_view address) {
  if (address.starts_with('[')) return address.substr(1, address.find(']') - 1);
  const auto colon = address.find(':');
  const bool is_single = colon != address.npos && address.find(':', colon + 1) == address.npos;
  return is_single ? address.substr(0, colon) : address;  // several: an IPv6 address
}

}  // namespace

std::vector<ApiKey> read_keys(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream)
    throw ConfigError(file.string(),
                      fmt::format("the file of keys can't be read: {}", std::strerror(errno)),
                      "Name a file with one key per line.");
  std::vector<ApiKey> keys;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    const auto key = parse_key(line);
    if (!key)
      throw ConfigError(fmt::format("{}:{}", file.string(), number),
                        "the line is not a key with, optionally, its requests per minute",
                        "Write a key, such as 6f1c22, or a key and a number: 6f1c22 60.");
    keys.push_back(*key);
  }
  if (keys.empty())
    throw ConfigError(file.string(), "the file has no key", "Write one key per line.");
  return keys;
}

double RateLimiter::take(const std::string& client, std::int64_t requests_per_minute, double now) {
  if (requests_per_minute == 0) return 0;
  const std::lock_guard lock(mutex_);
  const auto most = static_cast<double>(requests_per_minute);
  const double per_second = most / 60;
  auto* known = buckets_.find(client);
  auto& bucket = known != nullptr ? *known : buckets_.add(client, {most, now});
  bucket.requests = std::min(most, bucket.requests + per_second * (now - bucket.time));
  bucket.time = now;
  if (bucket.requests < 1) return (1 - bucket.requests) / per_second;
  --bucket.requests;
  if (buckets_.size() > most_clients_) buckets_.take_oldest();
  return 0;
}

std::size_t RateLimiter::clients() const {
  const std::lock_guard lock(mutex_);
  return buckets_.size();
}

bool AccessControl::needs_key() const { return !keys_.load()->empty(); }

void AccessControl::replace_keys(std::vector<ApiKey> keys) {
  keys_ = std::make_shared<const std::vector<ApiKey>>(std::move(keys));
}

void AccessControl::admit(std::string_view key, const std::string& address, double now) {
  std::string client = address;
  std::int64_t limit = rules_.requests_per_minute;
  const auto keys = keys_.load();
  if (!keys->empty()) {
    if (key.empty()) throw HttpError(400, "Please contact the server operator to get an API key");
    const ApiKey* valid = nullptr;
    for (const auto& each : *keys) {
      if (is_equal_in_constant_time(each.text, key)) valid = &each;
    }
    if (valid == nullptr) throw HttpError(403, "Invalid API key");
    client = "key " + valid->text;
    limit = valid->requests_per_minute.value_or(limit);
  }
  const double missing = limiter_.take(client, limit, now);
  if (missing > 0)
    throw HttpError(429, fmt::format("Slowdown: {} per 1 minute", limit),
                    static_cast<int>(std::ceil(missing)));
}

std::string AccessControl::client_address(const std::string& peer,
                                          std::string_view forwarded_for) const {
  if (!rules_.trust_forwarded_for) return peer;
  const auto begin = forwarded_for.find_last_of(", ");
  const auto last =
      begin == std::string_view::npos ? forwarded_for : forwarded_for.substr(begin + 1);
  return last.empty() ? peer : std::string(without_port(last));
}

}  // namespace tfm
