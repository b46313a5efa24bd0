// The memory of the test device (test_device.h), and the counters.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Allocator.h>

#include <string>

#include "test_device.h"

namespace tfm {

/// Returns the allocator of the device's memory.
c10::Allocator& device_allocator();

/// Returns the allocator of page-locked memory of the host.
c10::Allocator& pinned_allocator();
/// Returns true if the address is in page-locked memory.
bool is_pinned(const void* pointer);

/// Returns a CPU tensor over the same memory, or x itself if it is on the CPU.
at::Tensor view_on_host(const at::Tensor& x);

/// Adds to the counters. Thread-safe, because the backward pass runs on a thread of its own.
void count_operation(const std::string& name);
void add_counts(const DeviceCounts& counts);

}  // namespace tfm
