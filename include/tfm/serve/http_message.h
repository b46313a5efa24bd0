// Requests and replies of HTTP as plain values, so that everything but http_server.h can be tested
// without a network.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfm/core/format.h"

namespace tfm {

struct HttpRequest {
  std::string method;  ///< in capitals, such as "GET"
  std::string target;  ///< path and query as the client sent them: "/languages?x=1"
  /// Names are in lower case. The values of a header that is repeated are separated by commas.
  std::map<std::string, std::string> headers;
  std::string body;
  std::string peer{};  ///< the address of the other end of the connection
  bool is_encrypted = false;

  /// Returns the target up to the question mark.
  std::string_view path() const;
  /// Returns the target after the question mark, or an empty text.
  std::string_view query() const;
  /// Returns the value of a header, or an empty text. `name` is in lower case.
  std::string_view header(const std::string& name) const;
};

struct HttpReply {
  int status = 200;
  std::string body;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;  ///< in addition to the content type
};

/// A request that gets an error as its reply. what() is the message for the client.
class HttpError : public std::runtime_error {
 public:
  /// `status` is from 400 to 599. `retry_seconds` is when the client should try again, for 429 and
  /// 503.
  HttpError(int status, const std::string& message, int retry_seconds = 1)
      : std::runtime_error(escape_controls(message)),  // what() would end at a NUL
        status_(status),
        retry_seconds_(retry_seconds) {}

  int status() const { return status_; }
  int retry_seconds() const { return retry_seconds_; }
  bool operator==(const HttpError& other) const {
    return status_ == other.status_ && retry_seconds_ == other.retry_seconds_ &&
           std::string_view(what()) == other.what();
  }

 private:
  int status_;
  int retry_seconds_;
};

/// Returns the reply {"error": what()}, or with another name for the message. Replies 429 and 503
/// ask the client to try again later (Retry-After).
HttpReply error_reply(const HttpError& error, const std::string& name = "error");

}  // namespace tfm
