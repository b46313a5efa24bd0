#include "tfm/serve/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "attention_request.h"
#include "continuations.h"
#include "deepl.h"
#include "document_translations.h"
#include "libretranslate.h"
#include "model_choice.h"
#include "openapi.h"
#include "page.h"
#include "pending_translation.h"
#include "request_fields.h"
#include "tfm/core/clock.h"
#include "tfm/core/log.h"
#include "tfm/serve/suggestion_file.h"

namespace tfm {
namespace {

using Json = nlohmann::json;
using ModelsPointer = std::shared_ptr<const ServedModels>;

/// Makes the reply to a request from its translations.
using MakeReply = std::function<HttpReply(const TranslateRequest&, std::vector<TextTranslation>)>;

HttpReply status_reply(int code, const std::string& status) {
  return json_reply({{"status", status}}, code);
}

/// Returns the key of the client: of the header (as DeepL's clients send it) or of a parameter.
std::string find_key(const HttpRequest& request, const Json& fields) {
  for (const std::string_view scheme : {"DeepL-Auth-Key ", "Bearer "}) {
    const auto header = request.header("authorization");
    if (header.starts_with(scheme)) return std::string(header.substr(scheme.size()));
  }
  for (const char* name : {"api_key", "auth_key"}) {
    if (auto key = read_optional_text(fields, name)) return *key;
  }
  return {};
}

}  // namespace

class TranslationService::Routes {
 public:
  Routes(ModelsPointer models, Engine& engine, ServiceMetrics& metrics,
         const ServiceOptions& options, std::function<bool()> is_stopping)
      : models_(std::move(models)),
        engine_(engine),
        metrics_(metrics),
        options_(options),
        access_(options.access),
        documents_(engine, options.limits),
        is_stopping_(std::move(is_stopping)) {
    if (!options_.suggestions.empty())
      suggestions_.emplace(options_.suggestions, options_.limits.suggestion_bytes);
  }

  void replace(ModelsPointer models) { models_ = std::move(models); }
  void replace_keys(std::vector<ApiKey> keys) { access_.replace_keys(std::move(keys)); }

  CancelRequest handle(const HttpRequest& request, const Respond& respond) {
    const auto* route = find_route(request);
    const auto metric = metrics_.begin_request(metric_label(route));
    // The engine may call this after the end of the service.
    const auto finish = [origin = options_.allowed_origin, respond, metric](HttpReply reply) {
      if (!origin.empty()) reply.headers.emplace_back("Access-Control-Allow-Origin", origin);
      metric->finish(reply.status);
      respond(std::move(reply));
    };
    const std::string name = route != nullptr && route->is_deepl ? "message" : "error";
    try {
      if (route == nullptr) throw HttpError(404, "there is no such page");
      return answer(*route, request, finish);
    } catch (const HttpError& error) {
      finish(error_reply(error, name));
    } catch (const std::exception& error) {
      log_error("{}: {}", request.method, error.what());
      finish(error_reply(HttpError(500, "an internal error; the log of the service has the cause"),
                         name));
    }
    return {};
  }

 private:
  struct Route {
    std::string_view path;
    std::vector<std::string_view> methods;
    CancelRequest (Routes::*answer)(const HttpRequest&, const Json& fields, const Respond&);
    bool is_open = false;   // needs no key, and is not limited
    bool is_deepl = false;  // the form of its errors
  };

  static const std::vector<Route>& routes() {
    static const std::vector<Route> all{
        {"/", {"GET"}, &Routes::page_file<page_html_reply>, true},
        {"", {"GET"}, &Routes::to_page, true},
        {"/page.css", {"GET"}, &Routes::page_file<page_style_reply>, true},
        {"/page.js", {"GET"}, &Routes::page_file<page_script_reply>, true},
        {"/attention.html", {"GET"}, &Routes::page_file<attention_html_reply>, true},
        {"/attention.css", {"GET"}, &Routes::page_file<attention_style_reply>, true},
        {"/attention.js", {"GET"}, &Routes::page_file<attention_request_script_reply>, true},
        {"/attention_view.js", {"GET"}, &Routes::page_file<attention_script_reply>, true},
        {"/translate", {"POST"}, &Routes::translate},
        {"/continuations", {"POST"}, &Routes::continuations},
        {"/attention", {"POST"}, &Routes::attention},
        {"/translate_file", {"POST"}, &Routes::translate_file},
        {"/download_file", {"GET"}, &Routes::download_file, true},
        {"/detect", {"POST"}, &Routes::detect},
        {"/suggest", {"POST"}, &Routes::suggest},
        {"/languages", {"GET"}, &Routes::languages, true},
        {"/frontend/settings", {"GET"}, &Routes::settings, true},
        {"/v2/translate", {"POST"}, &Routes::deepl_translate, false, true},
        {"/v2/languages", {"GET", "POST"}, &Routes::deepl_languages, true, true},
        {"/v2/usage", {"GET", "POST"}, &Routes::deepl_usage, true, true},
        {"/spec", {"GET"}, &Routes::spec, true},
        {"/metrics", {"GET"}, &Routes::metrics, true},
        {"/health", {"GET"}, &Routes::health, true},
        {"/ready", {"GET"}, &Routes::ready, true},
    };
    return all;
  }

  static std::string_view metric_label(const Route* route) {
    if (route == nullptr) return "other";
    return route->path.empty() ? "/" : route->path;
  }

  const Route* find_route(const HttpRequest& request) const {
    auto path = request.path();
    if (!path.starts_with(options_.url_prefix)) return nullptr;
    path.remove_prefix(options_.url_prefix.size());
    if (path.starts_with(download_path)) path = path.substr(0, download_path.size() - 1);
    const auto route = std::ranges::find(routes(), path, &Route::path);
    return route == routes().end() ? nullptr : &*route;
  }

  CancelRequest answer(const Route& route, const HttpRequest& request, const Respond& respond) {
    const auto method = request.method == "HEAD" ? "GET" : request.method;
    if (std::ranges::find(route.methods, method) == route.methods.end()) {
      respond(request.method == "OPTIONS" ? preflight_reply(route) : wrong_method_reply(route));
      return {};
    }
    const auto fields = read_fields(request);
    if (!route.is_open)
      access_.admit(find_key(request, fields),
                    access_.client_address(request.peer, request.header("x-forwarded-for")),
                    steady_seconds());
    return (this->*route.answer)(request, fields, respond);
  }

  static std::string allowed_methods(const Route& route) {
    std::string text;
    for (const auto& method : route.methods) text += std::string(method) + ", ";
    if (route.methods.front() == "GET") text += "HEAD, ";
    return text + "OPTIONS";
  }

  static HttpReply wrong_method_reply(const Route& route) {
    auto reply =
        error_reply(HttpError(405, fmt::format("this page takes {}", allowed_methods(route))),
                    route.is_deepl ? "message" : "error");
    reply.headers.emplace_back("Allow", allowed_methods(route));
    return reply;
  }

  /// Answers the question of a browser whether a page of another origin may send a request.
  static HttpReply preflight_reply(const Route& route) {
    return {.status = 204,
            .body = "",
            .headers = {{"Allow", allowed_methods(route)},
                        {"Access-Control-Allow-Methods", allowed_methods(route)},
                        {"Access-Control-Allow-Headers", "Authorization, Content-Type"},
                        {"Access-Control-Max-Age", "86400"}}};
  }

  CancelRequest submit(TranslateRequest request, MakeReply make_reply, const std::string& name,
                       const Respond& respond) {
    const auto pending = std::make_shared<PendingTranslation>(std::move(request));
    auto lines = pending->take_lines(*models_.load());
    metrics_.add_characters(count_characters(pending->request().texts));
    const auto done = [pending, make_reply, name, respond](Engine::Result result) {
      if (result.error) return respond(error_reply(failed_translation(result.error), name));
      respond(make_reply(pending->request(), pending->join(std::move(result.lines))));
    };
    const auto ticket = engine_.submit(std::move(lines), done);
    return [this, ticket] { engine_.cancel(ticket); };
  }

  CancelRequest translate(const HttpRequest&, const Json& fields, const Respond& respond) {
    return submit(read_libretranslate_request(fields, options_.limits), libretranslate_reply,
                  "error", respond);
  }

  CancelRequest continuations(const HttpRequest&, const Json& fields, const Respond& respond) {
    return submit(read_continuations_request(fields, options_.limits), continuations_reply, "error",
                  respond);
  }

  CancelRequest attention(const HttpRequest&, const Json& fields, const Respond& respond) {
    return submit(read_attention_request(fields, options_.limits), attention_reply, "error",
                  respond);
  }

  CancelRequest translate_file(const HttpRequest& request, const Json& fields,
                               const Respond& respond) {
    auto document = read_document_request(request, fields, options_.url_prefix);
    const auto count = [this](std::int64_t characters) { metrics_.add_characters(characters); };
    return documents_.translate(std::move(document), models_.load(), count, respond);
  }

  CancelRequest download_file(const HttpRequest& request, const Json&, const Respond& respond) {
    auto name = request.path().substr(options_.url_prefix.size());
    name.remove_prefix(std::min(download_path.size(), name.size()));
    respond(documents_.download(name));
    return {};
  }

  CancelRequest deepl_translate(const HttpRequest&, const Json& fields, const Respond& respond) {
    const auto make_reply = [shows_characters = shows_billed_characters(fields)](
                                const auto& request, const auto& translations) {
      return deepl_reply(request, translations, shows_characters);
    };
    return submit(read_deepl_request(fields, options_.limits), make_reply, "message", respond);
  }

  CancelRequest detect(const HttpRequest&, const Json& fields, const Respond& respond) {
    const auto text = read_detect_request(fields, options_.limits);
    const auto models = models_.load();
    respond(detect_reply(
        detect_language(models->known_languages(), text, models->router().languages())));
    return {};
  }

  CancelRequest suggest(const HttpRequest&, const Json& fields, const Respond& respond) {
    if (!suggestions_) throw HttpError(403, "Suggestions are disabled on this server.");
    const auto suggestion = read_suggestion(fields, options_.limits);
    const auto models = models_.load();
    check_languages(models->router(), suggestion.source, suggestion.target);
    suggestions_->append(suggestion);
    respond(suggestion_reply());
    return {};
  }

  CancelRequest languages(const HttpRequest&, const Json&, const Respond& respond) {
    respond(languages_reply(models_.load()->router()));
    return {};
  }

  CancelRequest deepl_languages(const HttpRequest&, const Json& fields, const Respond& respond) {
    respond(deepl_languages_reply(models_.load()->router(), fields));
    return {};
  }

  CancelRequest deepl_usage(const HttpRequest&, const Json&, const Respond& respond) {
    respond(deepl_usage_reply(metrics_.characters()));
    return {};
  }

  CancelRequest settings(const HttpRequest&, const Json&, const Respond& respond) {
    respond(settings_reply(models_.load()->router(), options_.limits,
                           {.keys = access_.needs_key(), .suggestions = suggestions_.has_value()}));
    return {};
  }

  CancelRequest spec(const HttpRequest&, const Json&, const Respond& respond) {
    respond(spec_reply(models_.load()->router(), options_.url_prefix));
    return {};
  }

  CancelRequest metrics(const HttpRequest&, const Json&, const Respond& respond) {
    respond({.body = metrics_.text(engine_.waiting()),
             .content_type = "text/plain; version=0.0.4; charset=utf-8",
             .headers = {}});
    return {};
  }

  template <HttpReply (*make_reply)()>
  CancelRequest page_file(const HttpRequest&, const Json&, const Respond& respond) {
    respond(make_reply());
    return {};
  }

  /// Answers the path /mt if all paths begin with it: the page names its files relative to /mt/.
  CancelRequest to_page(const HttpRequest&, const Json&, const Respond& respond) {
    respond({.status = 308, .body = "", .headers = {{"Location", options_.url_prefix + "/"}}});
    return {};
  }

  CancelRequest health(const HttpRequest&, const Json&, const Respond& respond) {
    respond(status_reply(200, "ok"));
    return {};
  }

  CancelRequest ready(const HttpRequest&, const Json&, const Respond& respond) {
    respond(is_stopping_() ? status_reply(503, "stopping") : status_reply(200, "ready"));
    return {};
  }

  std::atomic<ModelsPointer> models_;
  Engine& engine_;
  ServiceMetrics& metrics_;
  const ServiceOptions options_;
  AccessControl access_;
  std::optional<SuggestionFile> suggestions_;
  DocumentTranslations documents_;
  const std::function<bool()> is_stopping_;
};

TranslationService::TranslationService(ModelsPointer models, Engine& engine,
                                       ServiceMetrics& metrics, const ServiceOptions& options,
                                       std::function<bool()> is_stopping)
    : routes_(std::make_unique<Routes>(std::move(models), engine, metrics, options,
                                       std::move(is_stopping))) {}

TranslationService::~TranslationService() = default;

CancelRequest TranslationService::handle(const HttpRequest& request, const Respond& respond) {
  return routes_->handle(request, respond);
}

void TranslationService::replace(ModelsPointer models) { routes_->replace(std::move(models)); }

void TranslationService::replace_keys(std::vector<ApiKey> keys) {
  routes_->replace_keys(std::move(keys));
}

}  // namespace tfm
