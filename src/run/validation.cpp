#include "tfm/run/validation.h"

namespace tfm {

ValidationMetric validation_metric(BestBy by) {
  switch (by) {
    case BestBy::bleu:
      return {"bleu", &Validation::bleu, 1};
    case BestBy::chrf:
      return {"chrf", &Validation::chrf, 1};
    case BestBy::loss:
      break;
  }
  return {"loss", &Validation::loss, -1};
}

double Validation::score(BestBy by) const {
  const auto metric = validation_metric(by);
  return metric.sign * this->*metric.value;
}

}  // namespace tfm
