#include "device_memory.h"

#include <ATen/Functions.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

namespace tfm {
namespace {

/// Turns an address into a pointer of the device, and back. With this bit, a pointer is not an
/// address on any 64-bit system.
void* translate_pointer(const void* pointer) {
  constexpr std::uintptr_t device_bit = std::uintptr_t{1} << 62;
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(pointer) ^ device_bit);
}

std::atomic<std::size_t> free_bytes = 0;

class DeviceAllocator final : public c10::DeviceAllocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    void* const memory = std::malloc(std::max<std::size_t>(bytes, 1));
    TORCH_CHECK(memory != nullptr, "the test device is out of memory");
    return {translate_pointer(memory), memory, &std::free, c10::Device(c10::DeviceType::CUDA, 0)};
  }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(translate_pointer(to), translate_pointer(from), bytes);
  }
  std::pair<std::size_t, std::size_t> getMemoryInfo(c10::DeviceIndex /*device*/) override {
    return {free_bytes, 2 * free_bytes};  // the free bytes, and all
  }
  bool initialized() override { return true; }
  // The device caches nothing and counts nothing.
  void emptyCache(c10::MempoolId_t /*pool*/) override {}
  void recordStream(const c10::DataPtr& /*data*/, c10::Stream /*stream*/) override {}
  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex /*device*/) override {
    return {};
  }
  void resetAccumulatedStats(c10::DeviceIndex /*device*/) override {}
  void resetPeakStats(c10::DeviceIndex /*device*/) override {}
};

/// The page-locked memory of the host. As in CUDA, tensors over it are on the CPU.
class PinnedAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    void* const memory = std::malloc(std::max<std::size_t>(bytes, 1));
    TORCH_CHECK(memory != nullptr, "the host is out of memory");
    const std::lock_guard lock(mutex_);
    blocks_[static_cast<char*>(memory)] = bytes;
    return {memory, memory, &release, c10::Device(c10::DeviceType::CPU)};
  }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
  bool contains(const void* pointer) const {
    const std::lock_guard lock(mutex_);
    const auto after = blocks_.upper_bound(static_cast<const char*>(pointer));
    if (after == blocks_.begin()) return false;
    const auto& [begin, bytes] = *std::prev(after);
    return static_cast<const char*>(pointer) <= begin + bytes;
  }

 private:
  static void release(void* memory);

  mutable std::mutex mutex_;
  std::map<const char*, std::size_t> blocks_;  // by address
};

PinnedAllocator& pinned() {
  static PinnedAllocator instance;
  return instance;
}

void PinnedAllocator::release(void* memory) {
  const std::lock_guard lock(pinned().mutex_);
  pinned().blocks_.erase(static_cast<const char*>(memory));
  std::free(memory);
}

DeviceAllocator allocator;
REGISTER_ALLOCATOR(c10::DeviceType::CUDA, &allocator)

/// The counters of the process.
class Counters {
 public:
  void add(const DeviceCounts& more) {
    const std::lock_guard lock(mutex_);
    totals_.operations += more.operations;
    totals_.copies_to_device += more.copies_to_device;
    totals_.copies_to_host += more.copies_to_host;
    totals_.copies_on_device += more.copies_on_device;
    totals_.bytes_to_host += more.bytes_to_host;
    totals_.host_waits += more.host_waits;
  }
  void add_operation(const std::string& name) {
    const std::lock_guard lock(mutex_);
    ++totals_.operations;
    ++by_name_[name];
  }
  DeviceCounts totals() const {
    const std::lock_guard lock(mutex_);
    return totals_;
  }
  std::map<std::string, std::int64_t> by_name() const {
    const std::lock_guard lock(mutex_);
    return by_name_;
  }

  void write(const char* file) const {
    std::ofstream out(file);
    const std::lock_guard lock(mutex_);
    out << totals_.operations << " operations\n"
        << totals_.copies_to_device << " copies to the device\n"
        << totals_.copies_to_host << " copies to the host\n"
        << totals_.copies_on_device << " copies on the device\n"
        << totals_.bytes_to_host << " bytes to the host\n"
        << totals_.host_waits << " host waits\n";
    for (const auto& [name, count] : by_name_) out << count << " " << name << "\n";
  }

 private:
  mutable std::mutex mutex_;
  DeviceCounts totals_;
  std::map<std::string, std::int64_t> by_name_;
};

Counters counters;

}  // namespace

c10::Allocator& device_allocator() { return allocator; }
void set_free_memory(std::size_t bytes) { free_bytes = bytes; }
c10::Allocator& pinned_allocator() { return pinned(); }
bool is_pinned(const void* pointer) { return pinned().contains(pointer); }

at::Tensor view_on_host(const at::Tensor& x) {
  if (x.is_cpu()) return x;
  return at::from_blob(translate_pointer(x.const_data_ptr()), x.sizes(), x.strides(),
                       x.options().device(at::kCPU));
}

void count_operation(const std::string& name) { counters.add_operation(name); }
void add_counts(const DeviceCounts& counts) { counters.add(counts); }

DeviceCounts device_counts() { return counters.totals(); }
std::map<std::string, std::int64_t> operation_counts() { return counters.by_name(); }

}  // namespace tfm

/// Replaces the C library's function. tfm ends with it, so no destructor could write the report.
extern "C" void _Exit(int code) noexcept {
  if (const char* const file = std::getenv("TFM_TEST_DEVICE_REPORT")) tfm::counters.write(file);
  ::_exit(code);
}
