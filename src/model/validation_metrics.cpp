#include "tfm/model/validation_metrics.h"

#include <algorithm>

#include "tfm/config/choices.h"

namespace tfm {

static_assert(validation_metrics.size() == choice_names<BestBy>.size() &&
                  std::ranges::all_of(validation_metrics,
                                      [](const ValidationMetric& metric) {
                                        const auto index = static_cast<std::size_t>(metric.keyword);
                                        return choice_names<BestBy>[index] == metric.key;
                                      }),
              "every keyword of training.best_by needs a row with its text as the key");

const ValidationMetric& validation_metric(BestBy keyword) {
  return *std::ranges::find(validation_metrics, keyword, &ValidationMetric::keyword);
}

}  // namespace tfm
