#include "tfm/training/throughput_meter.h"

namespace tfm {

double ThroughputMeter::tokens_per_second(double now) const {
  const double elapsed = now - start_;
  return elapsed > 0 ? static_cast<double>(tokens_) / elapsed : 0;
}

}  // namespace tfm
