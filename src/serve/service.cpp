#include "tfm/serve/service.h"

#include <fmt/format.h>

#include <algorithm>

#include "libretranslate.h"
#include "request_fields.h"
#include "text_parts.h"
#include "tfm/core/log.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

constexpr const char* automatic = "auto";

/// A request that is being translated.
struct PendingTranslation {
  TranslateRequest request;
  std::vector<std::vector<TextPart>> parts;        // of each text
  std::vector<std::optional<Detection>> detected;  // of each text

  HttpReply reply(const Engine::Result& result) const {
    std::vector<TextTranslation> translations;
    auto next = result.lines.begin();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto count = std::ranges::count_if(parts[i], &TextPart::is_line);
      const std::vector lines(next, next + count);
      next += count;
      translations.push_back({join_translations(parts[i], lines), detected[i]});
    }
    return translate_reply(request, translations);
  }
};

std::size_t lane_of(std::size_t model, TextFormat format) {
  return 2 * model + (format == TextFormat::html ? 1 : 0);
}

}  // namespace

struct TranslationService::Route {
  std::string_view path;
  std::string_view method;
  CancelRequest (TranslationService::*answer)(const HttpRequest&, const Respond&) const;
};

const std::vector<TranslationService::Route>& TranslationService::routes() {
  static const std::vector<Route> all{
      {"/translate", "POST", &TranslationService::translate},
      {"/detect", "POST", &TranslationService::detect},
      {"/languages", "GET", &TranslationService::languages},
      {"/frontend/settings", "GET", &TranslationService::settings},
      {"/health", "GET", &TranslationService::health},
      {"/ready", "GET", &TranslationService::ready},
  };
  return all;
}

TranslationService::TranslationService(LanguageRouter router, Engine& engine,
                                       const ServeLimits& limits, std::function<bool()> is_stopping)
    : router_(std::move(router)),
      engine_(engine),
      limits_(limits),
      is_stopping_(std::move(is_stopping)) {}

CancelRequest TranslationService::handle(const HttpRequest& request, const Respond& respond) const {
  try {
    return find_route(request, respond);
  } catch (const HttpError& error) {
    respond(error_reply(error));
  } catch (const std::exception& error) {
    log_error("{}: {}", request.method, error.what());
    respond(error_reply(HttpError(500, "an internal error; the log of the service has the cause")));
  }
  return {};
}

CancelRequest TranslationService::find_route(const HttpRequest& request,
                                             const Respond& respond) const {
  const auto route = std::ranges::find(routes(), request.path(), &Route::path);
  if (route == routes().end()) throw HttpError(404, "there is no such page");
  const bool is_head = request.method == "HEAD" && route->method == "GET";
  if (request.method == route->method || is_head) return (this->*route->answer)(request, respond);
  auto reply =
      error_reply(HttpError(405, fmt::format("this page takes {} requests", route->method)));
  reply.headers.emplace_back("Allow",
                             std::string(route->method) + (route->method == "GET" ? ", HEAD" : ""));
  respond(std::move(reply));
  return {};
}

std::size_t TranslationService::choose_model(const std::string& source,
                                             const std::string& target) const {
  if (const auto model = router_.find(source, target)) return *model;
  throw HttpError(400, fmt::format("{} to {} is not supported; the models translate {}", source,
                                   target, router_.describe()));
}

CancelRequest TranslationService::translate(const HttpRequest& request,
                                            const Respond& respond) const {
  const auto pending = std::make_shared<PendingTranslation>();
  pending->request = read_translate_request(read_fields(request), limits_);
  const auto& wanted = pending->request;
  if (wanted.source != automatic) choose_model(wanted.source, wanted.target);
  std::vector<Engine::Line> lines;
  for (const auto& text : wanted.texts) {
    auto& detected = pending->detected.emplace_back();
    if (wanted.source == automatic) detected = detect_language(text, router_.sources());
    const auto model = choose_model(detected ? detected->language : wanted.source, wanted.target);
    for (const auto& part : pending->parts.emplace_back(split_text(text, wanted.format))) {
      if (part.is_line) lines.push_back({lane_of(model, wanted.format), part.text});
    }
  }
  const auto ticket = engine_.submit(std::move(lines), [pending,
                                                        respond](const Engine::Result& result) {
    respond(result.error
                ? error_reply(HttpError(500,
                                        "the translation failed; the log of the service has the "
                                        "cause"))
                : pending->reply(result));
  });
  return [this, ticket] { engine_.cancel(ticket); };
}

CancelRequest TranslationService::detect(const HttpRequest& request, const Respond& respond) const {
  const auto text = read_detect_request(read_fields(request), limits_);
  respond(detect_reply(detect_language(text, router_.sources())));
  return {};
}

CancelRequest TranslationService::languages(const HttpRequest&, const Respond& respond) const {
  respond(languages_reply(router_));
  return {};
}

CancelRequest TranslationService::settings(const HttpRequest&, const Respond& respond) const {
  respond(settings_reply(router_, limits_));
  return {};
}

CancelRequest TranslationService::health(const HttpRequest&, const Respond& respond) const {
  respond(status_reply(200, "ok"));
  return {};
}

CancelRequest TranslationService::ready(const HttpRequest&, const Respond& respond) const {
  respond(is_stopping_() ? status_reply(503, "stopping") : status_reply(200, "ready"));
  return {};
}

}  // namespace tfm
