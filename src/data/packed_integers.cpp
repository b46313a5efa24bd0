#include "tfm/data/packed_integers.h"

namespace tfm {

void PackedIntegers::push_back(std::uint32_t value) {
  if (!is_wide_ && value > UINT16_MAX) {
    wide_.assign(narrow_.begin(), narrow_.end());
    narrow_ = {};
    is_wide_ = true;
  }
  is_wide_ ? wide_.push_back(value) : narrow_.push_back(static_cast<std::uint16_t>(value));
}

IntegerSpan PackedIntegers::span() const {
  return is_wide_ ? IntegerSpan{wide_.data(), wide_.size(), sizeof(std::uint32_t)}
                  : IntegerSpan{narrow_.data(), narrow_.size(), sizeof(std::uint16_t)};
}

}  // namespace tfm
