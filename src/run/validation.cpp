#include "tfm/run/validation.h"

namespace tfm {

const char* metric_key(BestBy by) {
  switch (by) {
    case BestBy::bleu:
      return "bleu";
    case BestBy::chrf:
      return "chrf";
    case BestBy::loss:
      break;
  }
  return "loss";
}

double higher_is_better(BestBy by, double value) { return by == BestBy::loss ? -value : value; }

double Validation::score(BestBy by) const {
  switch (by) {
    case BestBy::bleu:
      return higher_is_better(by, bleu);
    case BestBy::chrf:
      return higher_is_better(by, chrf);
    case BestBy::loss:
      break;
  }
  return higher_is_better(by, loss);
}

}  // namespace tfm
