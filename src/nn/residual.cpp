#include "tfm/nn/residual.h"

namespace tfm {

ResidualImpl::ResidualImpl(const ModelConfig& config)
    : order_(config.norm_order), dropout_(config.dropout), norm_(register_module("norm", Normalization(config))) {}

}  // namespace tfm
