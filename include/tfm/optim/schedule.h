// The learning rate of each update, a pure function of the config and the update's number.
#pragma once

#include <cstdint>

#include "tfm/config/config.h"

namespace tfm {

/// step counts from 1. With L = learning_rate, M = min_learning_rate, W = warmup_steps; every
/// schedule rises linearly to L over the first W steps, then
///   constant      L
///   inverse_sqrt  L * sqrt(W / step)                                     (Vaswani et al. 2017,
///   section 5.3, scaled to peak at L) cosine        M + (L - M) * (1 + cos(pi * (step - W) / (D -
///   W))) / 2  with D = decay_steps, or max_steps where that is 0; M after D sgdr          the same
///   within periods of sgdr_period, then each sgdr_factor times the last, each restarting at L
///   (Loshchilov & Hutter 2017)
double learning_rate_at(const TrainingConfig& config, int64_t step);

}  // namespace tfm
