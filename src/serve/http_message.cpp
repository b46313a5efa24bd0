#include "tfm/serve/http_message.h"

#include <nlohmann/json.hpp>

namespace tfm {

std::string_view HttpRequest::path() const {
  return std::string_view(target).substr(0, target.find('?'));
}

std::string_view HttpRequest::query() const {
  const auto mark = target.find('?');
  return mark == std::string::npos ? "" : std::string_view(target).substr(mark + 1);
}

std::string_view HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : std::string_view(found->second);
}

HttpReply error_reply(const HttpError& error, const std::string& name) {
  const nlohmann::json body = {{name, error.what()}};
  HttpReply reply;
  reply.status = error.status();
  reply.body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (error.status() == 429 || error.status() == 503)
    reply.headers.emplace_back("Retry-After", std::to_string(error.retry_seconds()));
  return reply;
}

}  // namespace tfm
