// Registers what LibTorch asks of the CUDA library: the number of devices, the current device and
// stream, and the random generator. Also contains what tfm asks of the driver.
#include "device_hooks.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <atomic>
#include <memory>
#include <mutex>

#include "device_memory.h"

namespace tfm {
namespace {

constexpr auto cuda = c10::DeviceType::CUDA;

std::atomic<int> compute_capability = 0;

struct DeviceGuard final : c10::impl::NoOpDeviceGuardImpl<cuda> {
  c10::Device getDevice() const override { return {cuda, 0}; }
  c10::Device exchangeDevice(c10::Device /*device*/) const override { return {cuda, 0}; }
  c10::Stream getStream(c10::Device /*device*/) const noexcept override {
    return c10::Stream(c10::Stream::DEFAULT, c10::Device(cuda, 0));
  }
  c10::Stream exchangeStream(c10::Stream /*stream*/) const noexcept override {
    return c10::Stream(c10::Stream::DEFAULT, c10::Device(cuda, 0));
  }
  void synchronizeDevice(c10::DeviceIndex /*device*/) const override {
    add_counts({.host_waits = 1});
  }
};
C10_REGISTER_GUARD_IMPL(CUDA, DeviceGuard)

struct DeviceHooks final : at::CUDAHooksInterface {
  explicit DeviceHooks(at::CUDAHooksArgs /*unused*/) {}
  void init() const override {}
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasCUDA() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex /*device*/) const override { return true; }
  int getNumGPUs() const override { return 1; }
  c10::DeviceIndex deviceCount() const override { return 1; }
  bool isPinnedPtr(const void* data) const override { return is_pinned(data); }
  c10::Allocator* getPinnedMemoryAllocator() const override { return &pinned_allocator(); }
  const at::Generator& getDefaultGenerator(c10::DeviceIndex /*device*/) const override {
    return device_generator();
  }
};
const bool registered = [] {
  at::CUDAHooksRegistry()->Register("CUDAHooks", [](at::CUDAHooksArgs arguments) {
    return std::unique_ptr<at::CUDAHooksInterface>(new DeviceHooks(arguments));
  });
  return true;
}();

/// Sets the state of a generator and returns the one before.
at::Tensor exchange_state(at::Generator generator, const at::Tensor& state) {
  const std::lock_guard lock(generator.mutex());
  auto previous = generator.get_state();
  generator.set_state(state);
  return previous;
}

at::Tensor state_of(at::Generator generator) {
  const std::lock_guard lock(generator.mutex());
  return generator.get_state();
}

}  // namespace

void set_compute_capability(int capability) { compute_capability = capability; }

const at::Generator& device_generator() {
  static const at::Generator generator = at::detail::createCPUGenerator();
  return generator;
}

DeviceGeneratorGuard::DeviceGeneratorGuard()
    : previous_(
          exchange_state(at::detail::getDefaultCPUGenerator(), state_of(device_generator()))) {}

DeviceGeneratorGuard::~DeviceGeneratorGuard() {
  exchange_state(device_generator(),
                 exchange_state(at::detail::getDefaultCPUGenerator(), previous_));
}

}  // namespace tfm

// Functions of the driver, which tfm looks up by name.
extern "C" int cuInit(unsigned /*flags*/) { return tfm::compute_capability == 0 ? 1 : 0; }
extern "C" int cuDeviceGet(int* device, int number) {
  *device = number;
  return 0;
}
extern "C" int cuDeviceGetAttribute(int* value, int attribute, int /*device*/) {
  constexpr int major_number = 75;  // of CUdevice_attribute
  const int capability = tfm::compute_capability;
  *value = attribute == major_number ? capability / 10 : capability % 10;
  return 0;
}
