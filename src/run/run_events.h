// Reads metrics.jsonl line by line; each JSON object is an event. Skips other lines, such as a last
// line that a power failure truncated.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tfm/run/run_logger.h"

namespace tfm {

/// Returns whether an event of this kind records a change of metric. Former versions called this
/// kind "measure".
inline bool is_metric_change(const std::string& kind) {
  return kind == "metric_changed" || kind == "measure";
}

/// Logs that the event in this line of the file is ignored.
void warn_of_wrong_type(const std::filesystem::path& file, std::int64_t line);

/// What happens if a field of an event has the wrong type. A session writes its page many times,
/// but warns only the first time.
enum class WrongType { warn, ignore };

/// Calls see(event, line) for each event in order, except events with a field of the wrong type.
/// Does nothing if the file does not exist.
template <typename See>
void for_each_event(const std::filesystem::path& run_folder, See see,
                    WrongType wrong_type = WrongType::warn) {
  const auto file = run_folder / metrics_file;
  std::ifstream metrics(file);
  std::int64_t number = 0;
  for (std::string line; std::getline(metrics, line);) {
    ++number;
    const auto event = nlohmann::ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!event.is_object()) continue;
    try {
      see(event, line);
    } catch (const nlohmann::json::exception&) {
      if (wrong_type == WrongType::warn) warn_of_wrong_type(file, number);
    }
  }
}

}  // namespace tfm
