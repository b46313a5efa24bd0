// Where a matrix lies that is part of a larger one, such as one head of all: its first number, and
// how far apart its rows begin.
#pragma once

#include <cstdint>

namespace tfm {

/// Rows that begin `stride` numbers apart.
template <class Number>
struct RowView {
  Number* first;
  int64_t stride;
};

}  // namespace tfm
