#include "ctranslate2_file.h"

#include <array>
#include <cstdint>
#include <limits>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

constexpr std::uint32_t binary_version = 6;
constexpr const char* specification = "TransformerSpec";
constexpr std::uint32_t specification_revision = 7;

template <class Number>
void put(AtomicFile& file, Number value) {
  file.write(&value, sizeof value);
}

void put_name(AtomicFile& file, const std::string& name) {
  put(file, static_cast<std::uint16_t>(name.size() + 1));
  file.write(name.c_str(), name.size() + 1);
}

std::uint8_t type_number(torch::ScalarType type) {
  constexpr std::array numbers{torch::kFloat32, torch::kInt8, torch::kInt16, torch::kInt32};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == type) return static_cast<std::uint8_t>(i);
  }
  throw ModelError(
      "", std::string("CTranslate2's file format has no type for ") + torch::toString(type));
}

void put_variable(AtomicFile& file, const std::string& name, const torch::Tensor& value) {
  const auto plain = value.detach().cpu().contiguous();
  if (plain.nbytes() > std::numeric_limits<std::uint32_t>::max()) {
    throw ModelError(name, "is 4 GiB or larger, which CTranslate2's file format cannot represent",
                     "Train with a smaller vocabulary.");
  }
  put_name(file, name);
  put(file, static_cast<std::uint8_t>(plain.dim()));
  for (const int64_t extent : plain.sizes()) put(file, static_cast<std::uint32_t>(extent));
  put(file, type_number(plain.scalar_type()));
  put(file, static_cast<std::uint32_t>(plain.nbytes()));
  file.write(plain.data_ptr(), plain.nbytes());
}

}  // namespace

void write_ctranslate2_file(const std::filesystem::path& file,
                            const CTranslate2Variables& variables) {
  AtomicFile output(file);
  put(output, binary_version);
  put_name(output, specification);
  put(output, specification_revision);
  put(output, static_cast<std::uint32_t>(variables.values.size()));
  for (const auto& [name, value] : variables.values) put_variable(output, name, value);
  put(output, static_cast<std::uint32_t>(variables.aliases.size()));
  for (const auto& [alias, name] : variables.aliases) {
    put_name(output, alias);
    put_name(output, name);
  }
  output.commit();
}

}  // namespace tfm
