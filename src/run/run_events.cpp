#include "run_events.h"

#include "tfm/core/log.h"

namespace tfm {

void warn_of_wrong_type(const std::filesystem::path& file, std::int64_t line) {
  log_warn("{}:{}: this event is ignored, because a field has the wrong type", file.string(), line);
}

}  // namespace tfm
