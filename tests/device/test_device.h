// A device for tests that poses as the first CUDA device, so that code for GPUs runs on a machine
// without one. A program that links this library, or is started with it in LD_PRELOAD, finds one
// CUDA device.
// - Its memory is the host's, but its pointers are not addresses: code that reads them on the host
//   ends with SIGSEGV.
// - Operations run on the CPU, on copies. As with CUDA, they refuse tensors of two devices, except
//   numbers and indices on the CPU.
// - It has a random generator of its own, which draws what the CPU's would draw after the same
//   seed.
// - It counts what a program asks of it.
// It neither computes in parallel nor asynchronously, and knows none of CUDA's own kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace tfm {

/// What a program has asked of the device since it started.
struct DeviceCounts {
  /// Kernels started, without copies. An operation that LibTorch divides into others is not
  /// counted itself. Attention is one operation, as in CUDA, but with gradients it counts as the
  /// products and the softmax that it consists of.
  std::int64_t operations = 0;
  std::int64_t copies_to_device = 0;
  std::int64_t copies_to_host = 0;  ///< including item()
  std::int64_t copies_on_device = 0;
  std::int64_t bytes_to_host = 0;
  /// How often the host waited for the device: at blocking copies, copies from memory that is not
  /// page-locked, item(), equal(), and operations whose result has a size that only the device
  /// knows.
  std::int64_t host_waits = 0;

  friend DeviceCounts operator-(const DeviceCounts& a, const DeviceCounts& b) {
    return {.operations = a.operations - b.operations,
            .copies_to_device = a.copies_to_device - b.copies_to_device,
            .copies_to_host = a.copies_to_host - b.copies_to_host,
            .copies_on_device = a.copies_on_device - b.copies_on_device,
            .bytes_to_host = a.bytes_to_host - b.bytes_to_host,
            .host_waits = a.host_waits - b.host_waits};
  }
};

/// Returns the counts so far. Differences of two results count what happened in between.
/// If TFM_TEST_DEVICE_REPORT=FILE is in the environment, tfm writes its counts to the file when it
/// ends: lines with a number and a name, the counts of single operations included.
DeviceCounts device_counts();

/// Sets the compute capability that the driver reports for the device, such as 75. 0, the default:
/// the driver reports an error.
void set_compute_capability(int capability);

/// Sets the bytes of memory that the device reports as free; 0 by default.
void set_free_memory(std::size_t bytes);

/// Returns how often each operation ran so far, by name ("aten::addmm").
std::map<std::string, std::int64_t> operation_counts();

}  // namespace tfm
