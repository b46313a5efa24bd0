// The operations of the test device (test_device.h): empty tensors, copies and views are written
// here, and all others run on copies on the CPU.
#include <ATen/EmptyTensor.h>
#include <ATen/Functions.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_native.h>
#include <torch/autograd.h>
#include <torch/library.h>

#include <optional>
#include <string>

#include "device_hooks.h"
#include "device_memory.h"

namespace tfm {
namespace {

using at::Tensor;
using std::optional;

constexpr c10::DispatchKeySet device_keys(c10::DispatchKey::CUDA);

/// True while an operation runs on copies. What it asks of the device is not counted.
thread_local bool is_falling_back = false;

Tensor make_empty(at::IntArrayRef size, optional<at::ScalarType> type,
                  optional<at::Layout> /*layout*/, optional<at::Device> /*device*/,
                  optional<bool> /*pinned*/, optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(size, &device_allocator(), device_keys,
                                   c10::dtype_or_default(type), format);
}

Tensor make_empty_strided(at::IntArrayRef size, at::IntArrayRef stride,
                          optional<at::ScalarType> type, optional<at::Layout> /*layout*/,
                          optional<at::Device> /*device*/, optional<bool> /*pinned*/) {
  return at::detail::empty_strided_generic(size, stride, &device_allocator(), device_keys,
                                           c10::dtype_or_default(type));
}

void count_copy(const Tensor& from, const Tensor& to, bool non_blocking) {
  if (is_falling_back) return;
  if (from.is_cpu()) {
    const bool waits = !non_blocking || !from.is_pinned();
    add_counts({.copies_to_device = 1, .host_waits = waits ? 1 : 0});
  } else if (to.is_cpu()) {
    add_counts({.copies_to_host = 1,
                .bytes_to_host = static_cast<std::int64_t>(to.nbytes()),
                .host_waits = non_blocking ? 0 : 1});
  } else {
    add_counts({.copies_on_device = 1});
  }
}

Tensor copy_from(const Tensor& from, const Tensor& to, bool non_blocking) {
  if (to.numel() == 0) return to;
  count_copy(from, to, non_blocking);
  view_on_host(to).copy_(view_on_host(from));
  return to;
}

Tensor& copy_in_place(Tensor& to, const Tensor& from, bool non_blocking) {
  copy_from(from.expand_as(to), to, non_blocking);
  return to;
}

/// Copies the result of an operation on copies to the tensor that receives it.
Tensor copy_from_and_resize(const Tensor& from, const Tensor& to) {
  if (from.sizes() != to.sizes()) {
    const auto resized = at::empty_like(from, to.options());
    to.unsafeGetTensorImpl()->shallow_copy_from(resized.getIntrusivePtr());
  }
  return copy_from(from, to, false);
}

/// Returns true if CUDA takes indices on the CPU for this operation, which are then copied.
bool copies_indices(const std::string& name) {
  return name == "aten::index" || name == "aten::index_put_" || name == "aten::_index_put_impl_";
}

/// Throws unless CUDA would take the argument: a tensor on the CPU may only be read, and must be a
/// number or, for some operations, an index.
void check_device(const Tensor& x, const std::string& name, bool is_number_allowed) {
  if (!x.defined() || !x.is_cpu()) return;
  if (is_number_allowed && x.dim() == 0) return;
  TORCH_CHECK(false, "Expected all tensors to be on the same device, but found at least two ",
              "devices, cuda:0 and cpu! (", name, ", a tensor of shape ", x.sizes(), ")");
}

/// Counts what CUDA does with an index before the operation: it copies indices to the device, and
/// asks the device how many elements of a mask are true. LibTorch itself does so for aten::index.
void count_index(const Tensor& index, const std::string& name) {
  if (!index.defined() || is_falling_back) return;
  if (index.is_cpu()) add_counts({.copies_to_device = 1});
  const bool is_mask = index.scalar_type() == at::kBool || index.scalar_type() == at::kByte;
  if (is_mask && name != "aten::index") add_counts({.host_waits = 1});
}

void check_argument(const c10::IValue& value, const c10::Argument& argument,
                    const std::string& name) {
  if (value.isGenerator()) {
    TORCH_CHECK(value.toGenerator() == device_generator(),
                "Expected a 'cuda' device type for generator but found 'cpu' (", name, ")");
  } else if (value.isTensor()) {
    const bool is_written = argument.alias_info() != nullptr && argument.alias_info()->isWrite();
    check_device(value.toTensor(), name, !is_written);
  } else if (value.isTensorList()) {
    for (const Tensor& x : value.toTensorList()) check_device(x, name, false);
  } else if (value.isOptionalTensorList()) {
    for (const optional<Tensor>& x : value.toOptionalTensorList())
      copies_indices(name) ? count_index(x.value_or(Tensor()), name)
                           : check_device(x.value_or(Tensor()), name, false);
  }
}

/// Counts an operation and, if the host has to wait for its result, the wait.
void count(const c10::OperatorHandle& op, const std::string& name) {
  constexpr std::int64_t largest_number = 8;  // bytes
  if (op.hasTag(at::Tag::data_dependent_output)) {
    add_counts({.copies_to_host = 1, .bytes_to_host = largest_number, .host_waits = 1});
    if (name == "aten::_local_scalar_dense") return;
  } else if (op.hasTag(at::Tag::dynamic_output_shape) && !copies_indices(name)) {
    add_counts({.host_waits = 1});
  }
  count_operation(name);
}

class FallingBack {
 public:
  FallingBack() : previous_(is_falling_back) { is_falling_back = true; }
  ~FallingBack() { is_falling_back = previous_; }
  FallingBack(const FallingBack&) = delete;
  FallingBack& operator=(const FallingBack&) = delete;

 private:
  bool previous_;
};

/// Converts the input of a softmax that converts fp16 to fp32 itself, which only CUDA's does.
void convert_softmax_input(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const auto& arguments = op.schema().arguments();
  if (arguments.size() < 3 || arguments[2].name() != "half_to_float") return;
  auto* const values = &*(stack->end() - static_cast<std::ptrdiff_t>(arguments.size()));
  if (!values[2].toBool()) return;
  values[0] = values[0].toTensor().to(at::kFloat);
  values[2] = false;
}

void run_on_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const auto& name = op.schema().name();
  const auto& arguments = op.schema().arguments();
  const auto values = torch::jit::last(*stack, arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) check_argument(values[i], arguments[i], name);
  if (!is_falling_back) count(op, name);
  optional<DeviceGeneratorGuard> random;
  if (op.hasTag(at::Tag::nondeterministic_seeded)) random.emplace();
  const FallingBack falling_back;
  convert_softmax_input(op, stack);
  at::native::cpu_fallback(op, stack, /*error_on_views=*/true);
}

/// A matrix multiplication with another type of result, which LibTorch has only for CUDA.
Tensor multiply_to(const Tensor& a, const Tensor& b, at::ScalarType type) {
  count_operation("aten::mm");
  const FallingBack falling_back;
  return a.cpu().to(type).mm(b.cpu().to(type)).to(a.device());
}

torch::CppFunction on_cpu() { return torch::CppFunction::makeFromBoxedFunction<&run_on_cpu>(); }

TORCH_LIBRARY_IMPL(_, CUDA, m) { m.fallback(on_cpu()); }

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("empty.memory_format", &make_empty);
  m.impl("empty_strided", &make_empty_strided);
  m.impl("_copy_from", &copy_from);
  m.impl("_copy_from_and_resize", &copy_from_and_resize);
  m.impl("copy_", &copy_in_place);
  m.impl("as_strided", &at::native::as_strided_tensorimpl);
  m.impl("view", &at::native::view);
  m.impl("unfold", &at::native::unfold);
  m.impl("_reshape_alias", &at::native::_reshape_alias);
  m.impl("mm.dtype", &multiply_to);
  // Lets Module::to replace a parameter's data by that on another device.
  m.impl("_has_compatible_shallow_copy_type",
         [](const Tensor& /*to*/, const Tensor& /*from*/) { return true; });
  // LibTorch would divide these operations into others, but CUDA has a kernel for each.
  for (const char* const whole :
       {"native_layer_norm", "native_layer_norm_backward", "_foreach_norm.Scalar",
        "_foreach_mul_.Scalar", "_foreach_add_.Scalar", "_foreach_lerp_.Scalar", "_foreach_copy_",
        "scaled_dot_product_attention"})
    m.impl(whole, on_cpu());
}

/// Attention with gradients, which CUDA computes with one kernel forward and one backward.
class Attention : public torch::autograd::Function<Attention> {
 public:
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& queries,
                        const Tensor& keys, const Tensor& values, const optional<Tensor>& mask,
                        bool causal, optional<double> scale) {
    context->save_for_backward({queries, keys, values, mask.value_or(Tensor())});
    context->saved_data["causal"] = causal;
    context->saved_data["scale"] = scale;
    const at::AutoDispatchBelowADInplaceOrView below;
    return at::scaled_dot_product_attention(queries, keys, values, mask, 0.0, causal, scale);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    count_operation("scaled_dot_product_attention_backward");
    const FallingBack falling_back;
    const auto saved = context->get_saved_variables();
    torch::autograd::variable_list inputs;
    for (const auto& x : {saved[0], saved[1], saved[2]})
      inputs.push_back(x.detach().cpu().requires_grad_());
    const auto mask = saved[3].defined() ? optional(saved[3].cpu()) : std::nullopt;
    const at::AutoGradMode with_gradients(true);
    const auto context_vectors = at::scaled_dot_product_attention(
        inputs[0], inputs[1], inputs[2], mask, 0.0, context->saved_data["causal"].toBool(),
        context->saved_data["scale"].toOptional<double>());
    auto found = torch::autograd::grad({context_vectors}, inputs, {gradients[0].cpu()});
    for (auto& gradient : found) gradient = gradient.to(gradients[0].device());
    found.insert(found.end(), 3, Tensor());  // mask, causal, scale
    return found;
  }
};

Tensor attend(const Tensor& queries, const Tensor& keys, const Tensor& values,
              const optional<Tensor>& mask, double dropout, bool causal, optional<double> scale,
              bool grouped) {
  TORCH_CHECK(dropout == 0 && !grouped, "the test device has no such attention");
  return Attention::apply(queries, keys, values, mask, causal, scale);
}

TORCH_LIBRARY_IMPL(aten, AutogradCUDA, m) { m.impl("scaled_dot_product_attention", &attend); }

}  // namespace
}  // namespace tfm
