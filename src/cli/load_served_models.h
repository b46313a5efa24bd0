// Loads the models of `tfm serve`, with what translates with them.
#pragma once

#include <memory>
#include <string>

#include "serve_command.h"
#include "tfm/serve/served_models.h"
#include "tfm/serve/service_metrics.h"
#include "tfm/translate/shared_batches.h"

namespace tfm {

/// Loads each model apart, because they do not form an ensemble. Their translations are remembered,
/// but not those by sampling. The metrics must outlive the models. Throws as load_models and
/// list_translated_pairs do.
std::shared_ptr<const ServedModels> load_served_models(const ServeOptions& options,
                                                       const std::string& device,
                                                       const SharedBatches& sharing,
                                                       ServiceMetrics& metrics);

}  // namespace tfm
