// A view of a matrix that is part of a larger matrix, such as the columns of one head.
#pragma once

#include <cstdint>

namespace tfm {

/// Points to the first element of a matrix whose rows begin `stride` elements apart.
template <class Number>
struct RowView {
  Number* first;
  int64_t stride;
};

}  // namespace tfm
