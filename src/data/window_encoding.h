// Encodes the examples of a window ahead, in blocks. One thread in the background takes block after
// block. Once the window is needed, further threads take blocks, too. A block's result must not
// depend on the thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "tfm/data/window_examples.h"

namespace tfm {

class WindowEncoding {
 public:
  /// Called after some pairs, with their number. Throws if the encoding is to end.
  using OnPairs = std::function<void(std::size_t)>;
  using Encode = std::function<ChangedExamples(std::span<const std::int64_t>, const OnPairs&)>;

  /// Starts to encode the examples with these indices in blocks of `block` examples, on new threads
  /// only.
  WindowEncoding(std::vector<std::int64_t> items, std::size_t block, Encode encode);
  /// Ends the encoding.
  ~WindowEncoding();
  WindowEncoding(const WindowEncoding&) = delete;
  WindowEncoding& operator=(const WindowEncoding&) = delete;

  /// Waits for the end, with that many threads in all, and returns what has changed, block by
  /// block. Shows progress. Throws what `encode` throws, and Interrupted if a signal arrives.
  std::vector<ChangedExamples> finish(std::int64_t threads);
  /// Returns the indices of the examples, after finish().
  std::vector<std::int64_t> take_items() { return std::move(items_); }

 private:
  void work();
  void help(std::int64_t threads);
  void on_pairs(std::size_t pairs);
  std::size_t blocks() const { return results_.size(); }

  std::vector<std::int64_t> items_;
  std::size_t block_;
  Encode encode_;
  std::vector<ChangedExamples> results_;
  std::atomic<std::size_t> next_ = 0;     // block
  std::atomic<std::size_t> encoded_ = 0;  // pairs
  std::atomic<bool> ending_ = false;
  std::mutex error_mutex_;
  std::exception_ptr error_;  // the first that a thread has met
  std::future<void> background_;
};

}  // namespace tfm
