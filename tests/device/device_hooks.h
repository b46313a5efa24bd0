// The random generator of the test device (test_device.h).
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

namespace tfm {

/// Returns the device's generator.
const at::Generator& device_generator();

/// Makes CPU operations draw from the device's generator until destruction.
class DeviceGeneratorGuard {
 public:
  DeviceGeneratorGuard();
  ~DeviceGeneratorGuard();  // NOLINT(bugprone-exception-escape): both states have been set before
  DeviceGeneratorGuard(const DeviceGeneratorGuard&) = delete;
  DeviceGeneratorGuard& operator=(const DeviceGeneratorGuard&) = delete;

 private:
  at::Tensor previous_;  // the state of the CPU's generator
};

}  // namespace tfm
