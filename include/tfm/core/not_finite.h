// The error of a model whose numbers are no numbers any more: who trains can go back, others can
// only say so.
#pragma once

#include "tfm/core/error.h"

namespace tfm {

/// Weights that give infinities or NaN: training has diverged. Exit code 1.
class NotFiniteError : public ModelError {
 public:
  using ModelError::ModelError;
};

}  // namespace tfm
