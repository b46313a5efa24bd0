// The translation service behind HttpServer: finds the route of a request, has the engine translate
// its texts, and makes the reply. Each line of a text is a line of the engine, so its translation
// is that of `tfm translate`; the line breaks between them are kept. Of HTML, each piece of running
// text is a line (markup/html_pieces.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tfm/serve/engine.h"
#include "tfm/serve/http_server.h"
#include "tfm/serve/language_router.h"
#include "tfm/serve/limits.h"

namespace tfm {

class Translator;

/// Returns two lanes: lines of plain text, then lines with markup, which is kept. The translator
/// must outlive them.
std::vector<Engine::Lane> make_lanes(const Translator& translator);

class TranslationService {
 public:
  /// Lanes 2 * i and 2 * i + 1 of the engine are those of model i of the router (make_lanes). The
  /// engine must outlive the service. GET /ready reports is_stopping().
  TranslationService(LanguageRouter router, Engine& engine, const ServeLimits& limits,
                     std::function<bool()> is_stopping);

  /// Answers a request, as an HttpHandler does. Requests with errors are answered, too; throws
  /// nothing.
  CancelRequest handle(const HttpRequest& request, const Respond& respond) const;

 private:
  struct Route;
  static const std::vector<Route>& routes();

  CancelRequest translate(const HttpRequest& request, const Respond& respond) const;
  CancelRequest detect(const HttpRequest& request, const Respond& respond) const;
  CancelRequest languages(const HttpRequest& request, const Respond& respond) const;
  CancelRequest settings(const HttpRequest& request, const Respond& respond) const;
  CancelRequest health(const HttpRequest& request, const Respond& respond) const;
  CancelRequest ready(const HttpRequest& request, const Respond& respond) const;

  CancelRequest find_route(const HttpRequest& request, const Respond& respond) const;
  std::size_t choose_model(const std::string& source, const std::string& target) const;

  LanguageRouter router_;
  Engine& engine_;
  ServeLimits limits_;
  std::function<bool()> is_stopping_;
};

}  // namespace tfm
