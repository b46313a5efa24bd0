// Records which operations a part of the program runs, and when, on the CPU and on a GPU, with
// LibTorch's profiler (Kineto). The file is a Chrome trace in JSON, which chrome://tracing and
// ui.perfetto.dev show as a time line.
#pragma once

#include <filesystem>

namespace tfm {

/// Records the operations of this thread, and those that its backward passes run on others. There
/// is at most one recording at a time.
class OperationTrace {
 public:
  /// Starts to record operations on the CPU and on the GPU if there is one.
  OperationTrace();
  /// Stops, unless save() has.
  ~OperationTrace();
  OperationTrace(const OperationTrace&) = delete;
  OperationTrace& operator=(const OperationTrace&) = delete;

  /// Waits for the GPU, stops and writes the file. If the file cannot be written, logs a warning
  /// and returns false, because the work that was recorded must not be lost.
  bool save(const std::filesystem::path& file);

 private:
  bool running_ = true;
};

}  // namespace tfm
