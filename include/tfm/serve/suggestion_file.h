// A file of better translations that clients suggest. Each is a JSON object on a line of its own.
// The size of the file is bounded, and it may be moved away at any time: the next suggestion begins
// another one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>

namespace tfm {

struct Suggestion {
  std::string text;         ///< what was translated
  std::string translation;  ///< how it should have been translated
  std::string source;       ///< the languages, as the client names them
  std::string target;
};

class SuggestionFile {
 public:
  /// Opens or makes the file, which only its owner may read. Throws ConfigError if that is not
  /// possible.
  SuggestionFile(std::filesystem::path file, std::int64_t most_bytes);

  /// Appends a suggestion, in one piece even if several threads or processes append at once. Throws
  /// HttpError 507 if the file would become too large or can't be written; it then has only
  /// complete lines.
  void append(const Suggestion& suggestion);

 private:
  const std::filesystem::path file_;
  const std::int64_t most_bytes_;
  std::mutex mutex_;
};

}  // namespace tfm
