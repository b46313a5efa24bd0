#include "tfm/nn/kv_cache.h"

#include <stdexcept>

namespace tfm {

void KvCache::join(const UnpaddedLayout&) {
  throw std::logic_error("no sentence can join this cache");
}

}  // namespace tfm
