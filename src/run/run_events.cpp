#include "run_events.h"

#include <fmt/format.h>

#include <mutex>
#include <set>

#include "tfm/core/log.h"

namespace tfm {

void warn_of_wrong_type(const std::filesystem::path& file, std::int64_t line) {
  static std::mutex mutex;
  static std::set<std::string> warned;
  const auto where = fmt::format("{}:{}", file.string(), line);
  const std::lock_guard lock(mutex);
  if (warned.insert(where).second)
    log_warn("{}: this event is ignored, because a field has the wrong type", where);
}

}  // namespace tfm
