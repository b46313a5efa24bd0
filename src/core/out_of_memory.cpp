#include "tfm/core/out_of_memory.h"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

#include "tfm/core/error.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

using RangeWork = std::function<void(std::size_t, std::size_t)>;

void halve(std::size_t begin, std::size_t end, const RangeWork& work) {
  if (end - begin < 2) {
    // A sentence that fits on its own may fail here: what larger batches freed stays in the heap of
    // the process, and oneDNN's kernels need memory outside it.
    throw ModelError("", "out of memory, even for one sentence at a time",
                     "Use smaller batches from the start (decoding.batch_size), a smaller beam "
                     "(decoding.beam_size) or a smaller model.");
  }
  const std::size_t middle = begin + (end - begin + 1) / 2;
  const auto run = [&](std::size_t first, std::size_t last) {
    if (!fits_into_memory([&] { work(first, last); })) halve(first, last, work);
  };
  run(begin, middle);
  run(middle, end);
}

}  // namespace

bool is_out_of_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  constexpr std::array<std::string_view, 5> signs{"can't allocate memory", "not enough memory",
                                                  "out of memory", "out_of_memory", "ALLOC_FAILED"};
  const std::string_view what = error.what();
  // oneDNN, when it cannot allocate a primitive. Its other messages only begin with these words.
  if (what == "could not create a primitive") return true;
  return std::any_of(signs.begin(), signs.end(),
                     [&](std::string_view sign) { return what.find(sign) != what.npos; });
}

bool fits_into_memory(const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const std::exception& error) {
    if (!is_out_of_memory(error)) throw;
    log_debug("out of memory: {}", error.what());
    return false;
  }
}

void halve_until_memory_suffices(std::size_t count, const RangeWork& work) {
  if (count == 0 || fits_into_memory([&] { work(0, count); })) return;
  log_warn(
      "out of memory in a batch of {} sentences: retrying with halves of it. A smaller "
      "decoding.batch_size avoids the failed attempt.",
      count);
  halve(0, count, work);
}

}  // namespace tfm
