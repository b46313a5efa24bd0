#include "model_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "tfm/serve/http_message.h"
#include "translate_request.h"

namespace tfm {

const ServedModel& choose_model(const ServedModels& models, const std::string& source,
                                const std::string& target) {
  const auto& router = models.router();
  if (const auto model = router.find(source, target)) return models.at(*model);
  throw HttpError(400, fmt::format("{} to {} is not supported; the models translate {}", source,
                                   target, router.describe()));
}

void check_languages(const ServedModels& models, const std::string& source,
                     const std::string& target) {
  const auto sources = source == detected_source ? models.router().sources() : std::vector{source};
  const auto has_model = [&](const std::string& each) {
    return models.router().find(each, target).has_value();
  };
  if (std::ranges::none_of(sources, has_model)) choose_model(models, source, target);
}

}  // namespace tfm
