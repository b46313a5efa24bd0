// Remembers translations, so that a line that many clients send is translated once, or a few times
// if they send it at the same moment. The memory is bounded: the lines that were used longest ago
// are forgotten. The replies stay the same, because a line's translation does not depend on other
// lines (translate/translator.h). Sampling is the exception: its translations must not be
// remembered. Errors and attention are not remembered either. Several threads may use the lanes of
// a cache at once.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "tfm/serve/engine.h"

namespace tfm {

class SentenceCache {
 public:
  /// `bytes` is the memory for lines with their translations. `on_found`, if given, is called for
  /// each line that was remembered, by the thread that asks for it.
  explicit SentenceCache(std::size_t bytes, std::function<void()> on_found = {});

  /// Returns a lane that has `lane` translate only the lines that are not remembered. It may
  /// outlive this object. Lanes share the memory but not their translations.
  LanePointer remember(LanePointer lane);

  /// Returns the memory that is used, at most that of the constructor.
  std::size_t bytes() const;

 private:
  class Memory;
  std::shared_ptr<Memory> memory_;
  std::size_t lanes_ = 0;
};

}  // namespace tfm
