// The learning rate of each update, a function of only the config and the number of the update.
#pragma once

#include <cstdint>

#include "tfm/config/config.h"

namespace tfm {

/// Returns the learning rate of update number `step`, which counts from 1. With L = learning_rate,
/// M = min_learning_rate and W = warmup_steps, every schedule rises linearly to L over the first W
/// updates. Then follow
///   constant      L
///   inverse_sqrt  L * sqrt(W / step)
///                 (Vaswani et al. 2017, section 5.3, scaled to peak at L)
///   cosine        M + (L - M) * (1 + cos(pi * (step - W) / (D - W))) / 2, and M after D,
///                 with D = decay_steps, or max_steps if decay_steps is 0
///   sgdr          the same cosine in periods of sgdr_period updates, then each sgdr_factor
///                 times the previous period, restarting at L (Loshchilov & Hutter 2017)
double learning_rate_at(const TrainingConfig& config, int64_t step);

}  // namespace tfm
