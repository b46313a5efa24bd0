// Computes the learning rate of each update, which depends only on the config and on the number of
// the update.
#pragma once

#include <cstdint>

#include "tfm/config/config.h"

namespace tfm {

/// Returns the learning rate of update number `step`, which counts from 1. With L = learning_rate,
/// M = min_learning_rate and W = warmup_steps, every schedule rises linearly to L over the first W
/// updates. After these, the schedules are
///   constant      L
///   inverse_sqrt  L * sqrt(max(W, 1) / step)
///                 (Vaswani et al. 2017, section 5.3, scaled to peak at L)
///   cosine        M + (L - M) * (1 + cos(pi * (step - W) / (D - W))) / 2, and M after D,
///                 with D = decay_steps, or max_steps if decay_steps is 0
///   sgdr          the same cosine within periods (Loshchilov & Hutter 2017): the first has
///                 sgdr_period updates, each later one sgdr_factor times as many as the
///                 previous one, and each restarts at L
double learning_rate_at(const TrainingConfig& config, int64_t step);

}  // namespace tfm
