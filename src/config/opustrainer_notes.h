// Errors and warnings about a config of OpusTrainer, with their lines.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tfm {

class OpusTrainerNotes {
 public:
  explicit OpusTrainerNotes(std::filesystem::path file) : file_(std::move(file)) {}

  const std::filesystem::path& file() const { return file_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  void warn(const YAML::Node& node, const std::string& what);
  /// Throws ConfigError.
  [[noreturn]] void fail(const YAML::Node& node, const std::string& what) const;

 private:
  std::string place(const YAML::Node& node) const;

  std::filesystem::path file_;
  std::vector<std::string> warnings_;
};

/// Returns the text of a scalar; an empty text for other nodes.
inline std::string scalar_text(const YAML::Node& node) {
  return node.IsScalar() ? node.Scalar() : "";
}

}  // namespace tfm
