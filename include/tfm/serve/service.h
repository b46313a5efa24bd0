// The translation service behind HttpServer: finds the route of a request, checks whether its
// client may use it, has the engine translate its texts, and makes the reply in the form of the
// client's API. Each line of a text is a line of the engine, so its translation is that of `tfm
// translate`; the line breaks between them are kept. Of HTML, each piece of running text is a line
// (markup/html_pieces.h).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "tfm/serve/access.h"
#include "tfm/serve/engine.h"
#include "tfm/serve/http_server.h"
#include "tfm/serve/limits.h"
#include "tfm/serve/served_models.h"
#include "tfm/serve/service_metrics.h"

namespace tfm {

struct ServiceOptions {
  ServeLimits limits;
  AccessRules access;
  std::string url_prefix;      ///< "/mt": paths begin with it; or empty
  std::string allowed_origin;  ///< of pages that may use the service (CORS), "*" or an origin
  std::filesystem::path suggestions{};  ///< a file; empty: suggestions are refused
};

class TranslationService {
 public:
  /// Throws ConfigError if the file of suggestions can't be written. The engine and the metrics
  /// must outlive the service. GET /ready reports is_stopping().
  TranslationService(std::shared_ptr<const ServedModels> models, Engine& engine,
                     ServiceMetrics& metrics, const ServiceOptions& options,
                     std::function<bool()> is_stopping);
  ~TranslationService();

  /// Answers a request, as an HttpHandler does. Requests with errors are answered, too; throws
  /// nothing.
  CancelRequest handle(const HttpRequest& request, const Respond& respond);
  /// Serves later requests with other models. May be called by any thread.
  void replace(std::shared_ptr<const ServedModels> models);
  /// Later requests need one of these keys, if there are any.
  void replace_keys(std::vector<ApiKey> keys);

 private:
  class Routes;
  std::unique_ptr<Routes> routes_;
};

}  // namespace tfm
