// Reads the JSON files of imported models, and writes those of exported models.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"

namespace tfm {

/// Returns the object of a JSON file, which is empty if the file does not exist. Throws ModelError
/// if the file contains anything else.
inline nlohmann::json read_optional_object(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return nlohmann::json::object();
  auto document = nlohmann::json::parse(read_file(file), nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) throw ModelError(file.string(), "is not a JSON object");
  return document;
}

/// Returns a field, which is empty if it is missing or null. Throws json::exception if it is not a
/// text.
inline std::string text_field(const nlohmann::json& object, const char* field) {
  const auto found = object.find(field);
  return found == object.end() || found->is_null() ? "" : found->get<std::string>();
}

/// Writes a value as indented JSON in ASCII. Throws ModelError if the file can't be written.
inline void write_json(const std::filesystem::path& file, const nlohmann::json& value) {
  write_file(file, value.dump(2, ' ', /*ensure_ascii=*/true) + "\n");
}

}  // namespace tfm
