#include "window_encoding.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "tfm/core/interrupt.h"
#include "tfm/core/work_progress.h"

namespace tfm {
namespace {

/// Ends a block whose result is not needed.
struct EncodingEnded {};

}  // namespace

WindowEncoding::WindowEncoding(std::vector<std::int64_t> items, std::size_t block, Encode encode)
    : items_(std::move(items)),
      block_(std::max<std::size_t>(1, block)),
      encode_(std::move(encode)),
      results_((items_.size() + block_ - 1) / block_),
      background_(std::async(std::launch::async, [this] { work(); })) {}

WindowEncoding::~WindowEncoding() {
  ending_ = true;
  background_.wait();
}

void WindowEncoding::on_pairs(std::size_t pairs) {
  encoded_ += pairs;
  if (ending_) throw EncodingEnded();
  throw_if_interrupted("the encoding of the text");
}

void WindowEncoding::work() {
  try {
    for (auto i = next_++; i < blocks(); i = next_++) {
      const auto begin = i * block_;
      const auto count = std::min(block_, items_.size() - begin);
      results_[i] = encode_(std::span(items_).subspan(begin, count),
                            [this](std::size_t pairs) { on_pairs(pairs); });
    }
  } catch (...) {
    const std::lock_guard lock(error_mutex_);
    if (error_ == nullptr) error_ = std::current_exception();
    ending_ = true;  // for the other threads, whose errors follow from this one
  }
}

/// Works on further threads until all blocks are encoded, and shows how far they are.
void WindowEncoding::help(std::int64_t threads) {
  const auto useful = std::min(threads, std::ssize(results_));
  std::vector<std::future<void>> helpers;
  for (std::int64_t i = 1; i < useful; ++i)
    helpers.push_back(std::async(std::launch::async, [this] { work(); }));
  WorkProgress progress("encoding the text", "pair");
  const auto all = static_cast<double>(std::max<std::size_t>(1, items_.size()));
  while (background_.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
    const auto pairs = encoded_.load();
    progress.show(static_cast<std::int64_t>(pairs), static_cast<double>(pairs) / all);
  }
}  // waits for the helpers

std::vector<ChangedExamples> WindowEncoding::finish(std::int64_t threads) {
  if (background_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) help(threads);
  if (error_ != nullptr) std::rethrow_exception(error_);
  return std::move(results_);
}

}  // namespace tfm
