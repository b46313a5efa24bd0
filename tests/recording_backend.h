// A backend that writes the name, type and size of each collective to a file before it calls c10d,
// so that a test can compare the sequences of the ranks.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <utility>

#include "distributed/collective_backend.h"

namespace tfm {

class RecordingBackend : public CollectiveBackend {
 public:
  /// Connects to the other ranks. `on_call` gets the number of each collective, from 0.
  RecordingBackend(const RankEnvironment& environment, const Timeouts& timeouts,
                   const std::filesystem::path& file, std::function<void(int)> on_call)
      : backend_(connect(environment, timeouts)), file_(file), on_call_(std::move(on_call)) {}

  CollectiveWork sum(const torch::Tensor& tensor, std::chrono::milliseconds timeout) override {
    record("sum", tensor);
    return backend_->sum(tensor, timeout);
  }
  CollectiveWork broadcast(const torch::Tensor& tensor,
                           std::chrono::milliseconds timeout) override {
    record("broadcast", tensor);
    return backend_->broadcast(tensor, timeout);
  }
  void check_device(const torch::Device& device) override { backend_->check_device(device); }

 private:
  void record(const char* name, const torch::Tensor& tensor) {
    file_ << name << ' ' << tensor.dtype() << ' ' << tensor.numel() << std::endl;
    on_call_(calls_++);
  }

  std::unique_ptr<CollectiveBackend> backend_;
  std::ofstream file_;
  std::function<void(int)> on_call_;
  int calls_ = 0;
};

}  // namespace tfm
