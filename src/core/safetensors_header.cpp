#include "tfm/core/safetensors_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace tfm {
namespace {

using nlohmann::json;

constexpr const char* metadata_name = "__metadata__";
/// The limit of the reference implementation.
constexpr std::uint64_t max_header_size = 100'000'000;

struct DtypeSize {
  std::string_view dtype;
  std::int64_t bytes;
};

constexpr auto dtype_sizes = std::to_array<DtypeSize>({{"BOOL", 1},
                                                       {"U8", 1},
                                                       {"I8", 1},
                                                       {"F8_E5M2", 1},
                                                       {"F8_E4M3", 1},
                                                       {"U16", 2},
                                                       {"I16", 2},
                                                       {"F16", 2},
                                                       {"BF16", 2},
                                                       {"U32", 4},
                                                       {"I32", 4},
                                                       {"F32", 4},
                                                       {"U64", 8},
                                                       {"I64", 8},
                                                       {"F64", 8}});

/// Returns the number of bytes of an array. Throws if the product of the extents is too large for
/// an index. Extents of 0 are left out of the product, as in strides.
std::size_t count_array_bytes(const std::string& name, const std::string& dtype,
                              const std::vector<std::int64_t>& shape) {
  const auto* found = std::ranges::find(dtype_sizes, dtype, &DtypeSize::dtype);
  if (found == dtype_sizes.end())
    throw MalformedSafetensors(
        fmt::format("tensor '{}' has the unknown data type {}", name, dtype));
  std::int64_t bytes = found->bytes;
  bool is_empty = false;
  for (const std::int64_t extent : shape) {
    const auto factor = std::max<std::int64_t>(extent, 1);
    if (extent < 0 || bytes > std::numeric_limits<std::int64_t>::max() / factor)
      throw MalformedSafetensors(fmt::format("tensor '{}' has an impossible shape", name));
    bytes *= factor;
    is_empty |= extent == 0;
  }
  return is_empty ? 0 : static_cast<std::size_t>(bytes);
}

/// Receives the parts of a JSON text, and throws if an object has a name twice. The JSON library
/// itself keeps only the last value. (Its callbacks during parsing take quadratic time.)
struct UniqueNames : nlohmann::json_sax<json> {
  std::vector<std::set<std::string>> names;  // of the objects that are open

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(json::binary_t&) override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool start_object(std::size_t) override {
    names.emplace_back();
    return true;
  }
  bool end_object() override {
    names.pop_back();
    return true;
  }
  bool key(std::string& name) override {
    if (!names.back().insert(name).second)
      throw MalformedSafetensors(fmt::format("its header has the name '{}' twice", name));
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }
};

json parse_with_unique_names(std::string_view text) {
  UniqueNames check;
  json parsed;
  if (json::sax_parse(text.begin(), text.end(), &check))
    parsed = json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object()) throw MalformedSafetensors("its header is not JSON");
  return parsed;
}

/// Returns the list `key` of an entry.
std::vector<std::int64_t> parse_whole_numbers(const std::string& name, const json& entry,
                                              const char* key) {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> numbers;
  for (const json& number : entry.at(key).get<std::vector<json>>()) {
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() > most)
      throw MalformedSafetensors(
          fmt::format("tensor '{}': its {} does not consist of whole numbers", name, key));
    numbers.push_back(number.get<std::int64_t>());
  }
  return numbers;
}

/// Reads an entry of a file that has `available` bytes after its header.
SafetensorsEntry parse_entry(const std::string& name, const json& entry, std::size_t available) {
  SafetensorsEntry parsed{.dtype = entry.at("dtype").get<std::string>(),
                          .shape = parse_whole_numbers(name, entry, "shape")};
  const auto bytes = count_array_bytes(name, parsed.dtype, parsed.shape);
  const auto offsets = parse_whole_numbers(name, entry, "data_offsets");
  if (offsets.size() != 2 || offsets[0] > offsets[1] ||
      static_cast<std::size_t>(offsets[1]) > available)
    throw MalformedSafetensors(fmt::format("tensor '{}' reaches past the end of the file", name));
  parsed.begin = static_cast<std::size_t>(offsets[0]);
  parsed.bytes = static_cast<std::size_t>(offsets[1] - offsets[0]);
  if (parsed.bytes != bytes)
    throw MalformedSafetensors(
        fmt::format("tensor '{}': its shape and its size do not match", name));
  return parsed;
}

void check_overlaps(const std::map<std::string, SafetensorsEntry>& entries) {
  using Named = std::map<std::string, SafetensorsEntry>::value_type;
  std::vector<const Named*> order;
  for (const Named& entry : entries)
    if (entry.second.bytes > 0) order.push_back(&entry);
  std::ranges::sort(order, {}, [](const Named* entry) { return entry->second.begin; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i]->second.begin < order[i - 1]->second.end())
      throw MalformedSafetensors(
          fmt::format("the tensors '{}' and '{}' overlap", order[i - 1]->first, order[i]->first));
  }
}

SafetensorsHeader parse_entries(std::string_view text, std::size_t available) {
  SafetensorsHeader header;
  try {
    const auto parsed = parse_with_unique_names(text);
    for (const auto& [name, entry] : parsed.items()) {
      if (name == metadata_name) {
        header.metadata = entry.get<std::map<std::string, std::string>>();
      } else {
        header.entries.emplace(name, parse_entry(name, entry, available));
      }
    }
  } catch (const json::exception& error) {
    throw MalformedSafetensors(error.what());
  }
  check_overlaps(header.entries);
  return header;
}

}  // namespace

void SafetensorsHeader::append(const std::string& name, const std::string& dtype,
                               const std::vector<std::int64_t>& shape) {
  SafetensorsEntry entry{
      .dtype = dtype, .shape = shape, .bytes = count_array_bytes(name, dtype, shape)};
  for (const auto& [other, before] : entries) entry.begin = std::max(entry.begin, before.end());
  if (name == metadata_name || !entries.emplace(name, std::move(entry)).second)
    throw MalformedSafetensors(fmt::format("the name '{}' is taken", name));
}

std::string format_safetensors_header(const SafetensorsHeader& header) {
  json content = json::object();
  if (!header.metadata.empty()) content[metadata_name] = header.metadata;
  for (const auto& [name, entry] : header.entries)
    content[name] = {{"dtype", entry.dtype},
                     {"shape", entry.shape},
                     {"data_offsets", {entry.begin, entry.end()}}};
  std::string text = content.dump();
  constexpr std::size_t alignment = 64;
  text.append((alignment - (text.size() + sizeof(std::uint64_t)) % alignment) % alignment, ' ');
  const std::uint64_t length = text.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + text;
}

ParsedSafetensorsHeader parse_safetensors_header(std::string_view file) {
  std::uint64_t length = 0;
  if (file.size() < sizeof length)
    throw MalformedSafetensors(fmt::format("it has only {} bytes", file.size()));
  std::memcpy(&length, file.data(), sizeof length);
  if (length > max_header_size)
    throw MalformedSafetensors(fmt::format(
        "its header would have {} bytes, but the format allows only {}", length, max_header_size));
  if (length > file.size() - sizeof length)
    throw MalformedSafetensors("its header reaches past the end of the file");
  const auto data_begin = sizeof length + static_cast<std::size_t>(length);
  return {parse_entries(file.substr(sizeof length, length), file.size() - data_begin), data_begin};
}

}  // namespace tfm
