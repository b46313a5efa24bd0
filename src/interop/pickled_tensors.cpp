#include "pickled_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace tfm {
namespace {

using Kind = PickleValue::Kind;

constexpr std::string_view ordered_dict = "collections.OrderedDict";
constexpr std::string_view rebuild_tensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view rebuild_parameter = "torch._utils._rebuild_parameter";

constexpr std::array<std::pair<std::string_view, torch::ScalarType>, 10> storage_types{
    {{"torch.FloatStorage", torch::kFloat32},
     {"torch.HalfStorage", torch::kFloat16},
     {"torch.BFloat16Storage", torch::kBFloat16},
     {"torch.DoubleStorage", torch::kFloat64},
     {"torch.LongStorage", torch::kInt64},
     {"torch.IntStorage", torch::kInt32},
     {"torch.ShortStorage", torch::kInt16},
     {"torch.CharStorage", torch::kInt8},
     {"torch.ByteStorage", torch::kUInt8},
     {"torch.BoolStorage", torch::kBool}}};

[[noreturn]] void refuse(const std::string& what) {
  throw PickleError(what,
                    "Only state dicts can be read. Save the result of state_dict() with "
                    "torch.save or as model.safetensors.");
}

[[noreturn]] void malformed(const std::string& tensor, std::string_view what) {
  throw PickleError(fmt::format("tensor '{}' {}", tensor, what),
                    "The file may be corrupt. Use another copy.");
}

/// Returns the arguments if the value is a call of this function.
const std::vector<const PickleValue*>* find_arguments(const PickleValue& value,
                                                      std::string_view function) {
  const bool found = value.kind == Kind::call && value.items[0]->text == function;
  return found ? &value.items[1]->items : nullptr;
}

/// Reads the parts of one tensor; its name is for the messages.
class TensorReader {
 public:
  explicit TensorReader(const std::string& name) : name_(name) {}

  PickledTensor read(const PickleValue& value) const {
    const auto* parameter = find_arguments(value, rebuild_parameter);
    if (parameter != nullptr && parameter->empty()) malformed(name_, "has no data");
    const PickleValue& data = parameter != nullptr ? *parameter->front() : value;
    const auto* arguments = find_arguments(data, rebuild_tensor);
    if (arguments == nullptr) refuse(fmt::format("entry '{}' is not a tensor", name_));
    if (arguments->size() < 4) malformed(name_, "has too few arguments");
    if (value.has_state || data.has_state || arguments->size() > 6)
      refuse(fmt::format("tensor '{}' has attributes", name_));
    PickledTensor tensor;
    read_storage(*(*arguments)[0], tensor);
    tensor.offset = read_number(*(*arguments)[1]);
    tensor.sizes = read_numbers(*(*arguments)[2]);
    tensor.strides = read_numbers(*(*arguments)[3]);
    check_bounds(tensor);
    return tensor;
  }

 private:
  /// Reads ('storage', type, key, location, size). In files of 2017, a sixth element can be a part
  /// of another storage.
  void read_storage(const PickleValue& reference, PickledTensor& tensor) const {
    if (reference.kind != Kind::persistent || reference.items[0]->kind != Kind::tuple)
      malformed(name_, "has no storage");
    const auto& id = reference.items[0]->items;
    if (id.size() < 5 || id[0]->text != "storage" || id[1]->kind != Kind::name ||
        id[2]->kind != Kind::text)
      malformed(name_, "has a reference that is not a storage");
    if (id.size() > 5 && id[5]->kind != Kind::none)
      refuse(fmt::format("tensor '{}' is in a view of a storage", name_));
    const auto* type =
        std::ranges::find(storage_types, id[1]->text, &decltype(storage_types)::value_type::first);
    if (type == storage_types.end()) malformed(name_, "has a storage of an unknown type");
    tensor.type = type->second;
    tensor.storage = id[2]->text;
    tensor.storage_size = read_number(*id[4]);
    const auto most = std::numeric_limits<std::int64_t>::max() /
                      static_cast<std::int64_t>(torch::elementSize(tensor.type));
    if (tensor.storage_size > most) malformed(name_, "has a storage of an impossible size");
  }

  std::int64_t read_number(const PickleValue& value) const {
    if (value.kind != Kind::integer || value.integer < 0)
      malformed(name_, "has a size, stride or offset that is not a number, or is negative");
    return value.integer;
  }

  std::vector<std::int64_t> read_numbers(const PickleValue& value) const {
    constexpr std::size_t most_dimensions = 64;  // the limit of LibTorch
    if (value.kind != Kind::tuple || value.items.size() > most_dimensions)
      malformed(name_, "has an impossible shape");
    std::vector<std::int64_t> numbers;
    for (const auto* item : value.items) numbers.push_back(read_number(*item));
    return numbers;
  }

  void check_bounds(const PickledTensor& tensor) const {
    if (tensor.sizes.size() != tensor.strides.size())
      malformed(name_, "has more sizes than strides, or fewer");
    const bool empty = std::ranges::find(tensor.sizes, 0) != tensor.sizes.end();
    // LibTorch multiplies the other sizes of an empty tensor, and the products must not overflow.
    std::int64_t left = empty ? std::numeric_limits<std::int64_t>::max() : tensor.storage_size;
    for (const std::int64_t size : tensor.sizes) left /= std::max<std::int64_t>(size, 1);
    if (left == 0)
      malformed(name_, empty ? "has an impossible shape" : "has more elements than its storage");
    if (empty) return;
    std::int64_t last = tensor.offset;
    for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
      const std::int64_t steps = tensor.sizes[i] - 1;
      if (last >= tensor.storage_size ||
          (steps > 0 && tensor.strides[i] > (tensor.storage_size - 1 - last) / steps))
        malformed(name_, "reaches past the end of its storage");
      last += steps * tensor.strides[i];
    }
    if (last >= tensor.storage_size) malformed(name_, "reaches past the end of its storage");
  }

  const std::string& name_;
};

}  // namespace

const std::set<std::string, std::less<>>& state_dict_names() {
  static const auto names = [] {
    std::set<std::string, std::less<>> all{std::string(ordered_dict), std::string(rebuild_tensor),
                                           std::string(rebuild_parameter)};
    for (const auto& [name, type] : storage_types) all.emplace(name);
    return all;
  }();
  return names;
}

std::map<std::string, PickledTensor> find_tensors(const PickleValue& state_dict) {
  const auto* arguments = find_arguments(state_dict, ordered_dict);
  if (state_dict.kind != Kind::dictionary && (arguments == nullptr || !arguments->empty()))
    refuse("it does not contain a dictionary of tensors");
  std::map<std::string, PickledTensor> tensors;
  for (const auto& [key, value] : state_dict.entries) {
    if (key->kind != Kind::text) refuse("its dictionary has a key that is not a text");
    if (!tensors.emplace(key->text, TensorReader(key->text).read(*value)).second)
      malformed(key->text, "is there twice");
  }
  return tensors;
}

}  // namespace tfm
