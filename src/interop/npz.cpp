#include "tfm/interop/npz.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <numeric>
#include <regex>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "zip.h"

namespace tfm {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";

/// The header of an .npy array. In the file, it is a Python dictionary literal with the keys descr,
/// fortran_order and shape (numpy.lib.format).
struct NpyHeader {
  torch::ScalarType type = torch::kFloat32;
  bool fortran_order = false;
  std::vector<int64_t> shape;
  std::size_t data_begin = 0;
};

[[noreturn]] void malformed(const std::string& what) { throw MalformedArchive(what); }

torch::ScalarType scalar_type(const std::string& descr) {
  using Name = std::pair<const char*, torch::ScalarType>;
  constexpr std::array<Name, 9> names{{{"<f2", torch::kFloat16},
                                       {"<f4", torch::kFloat32},
                                       {"<f8", torch::kFloat64},
                                       {"|i1", torch::kInt8},
                                       {"<i1", torch::kInt8},
                                       {"|u1", torch::kUInt8},
                                       {"<i2", torch::kInt16},
                                       {"<i4", torch::kInt32},
                                       {"<i8", torch::kInt64}}};
  for (const auto& [name, type] : names) {
    if (descr == name) return type;
  }
  malformed("has the type " + descr + ", which is not supported");
}

std::vector<int64_t> parse_shape(const std::string& text) {
  std::vector<int64_t> shape;
  static const std::regex extent("[0-9]+");
  for (std::sregex_iterator match(text.begin(), text.end(), extent), end; match != end; ++match) {
    const std::string digits = match->str();
    int64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc())
      malformed("has an impossible shape");
    shape.push_back(value);
  }
  return shape;
}

NpyHeader parse_header(std::string_view array) {
  constexpr std::size_t longest = 4096;  // bytes; enough for every array of numbers
  if (array.size() < 12 || !array.starts_with(npy_magic)) malformed("is not an .npy array");
  const auto byte = [&](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(array[at]));
  };
  const bool long_form = byte(6) > 1;
  const std::size_t begin = long_form ? 12 : 10;
  const std::size_t length =
      byte(8) | byte(9) << 8 | (long_form ? byte(10) << 16 | byte(11) << 24 : 0);
  if (length > longest || length > array.size() - begin) malformed("has a corrupt header");
  const std::string text(array.substr(begin, length));
  static const std::regex descr(R"('descr'\s*:\s*'([^']{2,8})')");
  static const std::regex order(R"('fortran_order'\s*:\s*(True|False))");
  static const std::regex shape(R"('shape'\s*:\s*\(([0-9, ]*)\))");
  std::smatch type_match;
  std::smatch order_match;
  std::smatch shape_match;
  if (!std::regex_search(text, type_match, descr) || !std::regex_search(text, order_match, order) ||
      !std::regex_search(text, shape_match, shape)) {
    malformed("has a header that cannot be parsed");
  }
  return {scalar_type(type_match[1]), order_match[1] == "True", parse_shape(shape_match[1]),
          begin + length};
}

/// Returns the number of bytes of an array of this shape. Throws MalformedArchive for shapes that
/// NumPy cannot write.
std::size_t byte_size(const NpyHeader& header) {
  constexpr std::size_t most_dimensions = 64;  // the limit of NumPy
  if (header.shape.size() > most_dimensions) malformed("has an impossible shape");
  std::size_t limit = std::numeric_limits<int64_t>::max() / torch::elementSize(header.type);
  std::size_t elements = 1;
  for (const int64_t extent : header.shape) {
    elements *= static_cast<std::size_t>(extent);
    // A dimension of 0 counts as 1 here: the strides of an empty array are products of its other
    // dimensions, and must not overflow either.
    limit /= static_cast<std::size_t>(std::max<int64_t>(extent, 1));
    if (limit == 0) malformed("has an impossible shape");
  }
  return elements * torch::elementSize(header.type);
}

torch::Tensor read_array(std::string_view array) {
  auto header = parse_header(array);
  const std::size_t bytes = array.size() - header.data_begin;
  if (byte_size(header) != bytes) malformed("has data of another size than its shape requires");
  const auto options = torch::TensorOptions().dtype(header.type);
  if (bytes == 0) return torch::empty(header.shape, options);
  if (header.fortran_order) std::reverse(header.shape.begin(), header.shape.end());
  auto tensor = torch::empty(header.shape, options);
  std::memcpy(tensor.data_ptr(), array.data() + header.data_begin, bytes);
  if (!header.fortran_order) return tensor;
  std::vector<int64_t> reversed(header.shape.size());
  std::iota(reversed.rbegin(), reversed.rend(), int64_t{0});
  return tensor.permute(reversed).contiguous();
}

/// Returns an .npy file with the array, which is in fp32 or int8.
std::string npy_file(const torch::Tensor& array) {
  const auto data = array.detach().cpu().contiguous();
  auto shape = fmt::format("{}", fmt::join(data.sizes(), ", "));
  if (data.dim() == 1) shape += ",";
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                   data.scalar_type() == torch::kInt8 ? "|i1" : "<f4", shape);
  constexpr std::size_t alignment = 64;  // of the data, which follows magic, version and length
  constexpr std::size_t before = 10;
  header.append(alignment - 1 - (before + header.size()) % alignment, ' ').append("\n");
  std::string file(npy_magic);
  file.append(
      {1, 0, static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)});
  return file.append(header).append(static_cast<const char*>(data.data_ptr()), data.nbytes());
}

}  // namespace

StateDict read_npz(const std::filesystem::path& file) {
  const std::string bytes = read_file(file);
  StateDict arrays;
  std::string current;
  try {
    for (const auto& [name, content] : unzip(bytes)) {
      current = "array '" + name + "' ";
      const bool named = name.ends_with(".npy");
      arrays[named ? name.substr(0, name.size() - 4) : name] = read_array(content);
    }
  } catch (const MalformedArchive& error) {
    throw ModelError(file.string(), "can't be read as an .npz file: " + current + error.what(),
                     "It may be corrupt or of another kind. Use another copy.");
  }
  return arrays;
}

// Marian expects the size of an entry before its data. ZipFile (core/zip_file.h) writes sizes
// behind the data, so this function uses libzip.
void write_npz(const std::filesystem::path& file, const StateDict& arrays) {
  std::vector<std::string> contents;  // libzip reads them when it closes the archive
  contents.reserve(arrays.size());
  int code = 0;
  auto* const archive = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  const auto fail = [&](zip_error_t* error) {
    const std::string reason = zip_error_strerror(error);
    if (archive != nullptr) zip_discard(archive);
    throw ModelError(file.string(), "can't be written: " + reason, "Name another folder.");
  };
  if (archive == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    fail(&error);
  }
  for (const auto& [name, array] : arrays) {
    const auto& content = contents.emplace_back(npy_file(array));
    auto* const source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const auto index =
        source == nullptr ? -1 : zip_file_add(archive, (name + ".npy").c_str(), source, 0);
    if (index < 0) zip_source_free(source);
    if (index < 0 ||
        zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0) != 0)
      fail(zip_get_error(archive));
  }
  if (zip_close(archive) != 0) fail(zip_get_error(archive));
}

}  // namespace tfm
