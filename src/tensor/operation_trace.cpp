#include "tfm/tensor/operation_trace.h"

#include <ATen/Context.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <cstdlib>
#include <set>

#include "tfm/core/log.h"

namespace tfm {

using torch::profiler::impl::ActivityType;
using torch::profiler::impl::ProfilerConfig;
using torch::profiler::impl::ProfilerState;

OperationTrace::OperationTrace() {
  // Kineto reports its start and end on standard error, at its highest level, 5.
  setenv("KINETO_LOG_LEVEL", "6", /*overwrite=*/0);
  const ProfilerConfig config(ProfilerState::KINETO);
  std::set activities{ActivityType::CPU};
  if (at::hasCUDA()) activities.insert(ActivityType::CUDA);
  torch::autograd::profiler::prepareProfiler(config, activities);
  torch::autograd::profiler::enableProfiler(config, activities);
}

OperationTrace::~OperationTrace() {
  if (running_) torch::autograd::profiler::disableProfiler();
}

bool OperationTrace::save(const std::filesystem::path& file) {
  if (at::hasCUDA()) {
    const c10::impl::VirtualGuardImpl gpu(c10::DeviceType::CUDA);
    gpu.synchronizeDevice(gpu.getDevice().index());
  }
  running_ = false;
  std::error_code error;
  std::filesystem::remove(file, error);
  torch::autograd::profiler::disableProfiler()->save(file.string());
  if (std::filesystem::is_regular_file(file)) return true;
  log_warn("{}: cannot be written. Name a file in a folder that exists and can be written.",
           file.string());
  return false;
}

}  // namespace tfm
