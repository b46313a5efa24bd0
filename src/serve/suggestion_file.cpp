#include "tfm/serve/suggestion_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/serve/http_message.h"

namespace tfm {
namespace {

/// A file that is open to be appended to, and locked against other processes that append.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& file)
      : descriptor_(::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)) {
    if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX);
  }
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  std::int64_t size() const {
    struct stat state{};
    return ::fstat(descriptor_, &state) == 0 ? state.st_size : 0;
  }
  /// Returns false, and leaves the file as it was, if not all of the line can be written.
  bool append(const std::string& line) const {
    const auto before = size();
    if (::write(descriptor_, line.data(), line.size()) == std::ssize(line)) return true;
    const int reason = errno;
    if (::ftruncate(descriptor_, before) != 0) log_error("a file has an incomplete last line");
    errno = reason;
    return false;
  }

 private:
  int descriptor_;
};

std::string to_line(const Suggestion& suggestion) {
  const nlohmann::ordered_json object = {{"q", suggestion.text},
                                         {"s", suggestion.translation},
                                         {"source", suggestion.source},
                                         {"target", suggestion.target}};
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

SuggestionFile::SuggestionFile(std::filesystem::path file, std::int64_t most_bytes)
    : file_(std::move(file)), most_bytes_(most_bytes) {
  if (!OpenFile(file_).is_open())
    throw ConfigError(
        file_.string(),
        fmt::format("the file of suggestions can't be written: {}", std::strerror(errno)),
        "Name a file in a folder that exists and that tfm may write to "
        "(--suggestions).");
}

void SuggestionFile::append(const Suggestion& suggestion) {
  const auto line = to_line(suggestion);
  const std::lock_guard lock(mutex_);
  const OpenFile file(file_);
  if (file.is_open() && file.size() + std::ssize(line) > most_bytes_)
    throw HttpError(507, "the service has no space for further suggestions");
  if (file.is_open() && file.append(line)) return;
  log_error("{}: a suggestion could not be written: {}", file_.string(), std::strerror(errno));
  throw HttpError(507, "the suggestion could not be written");
}

}  // namespace tfm
