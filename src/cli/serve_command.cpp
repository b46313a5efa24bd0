#include "serve_command.h"

#include <fmt/format.h>

#include <functional>
#include <ranges>
#include <regex>

#include "common_options.h"
#include "field_options.h"
#include "load_served_models.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/json_log.h"
#include "tfm/core/log.h"
#include "tfm/serve/engine.h"
#include "tfm/serve/reloader.h"
#include "tfm/serve/service.h"
#include "tfm/serve/service_manager.h"
#include "tfm/tensor/runtime.h"
#include "tfm/tensor/spin_limiter.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

constexpr const char* address_group = "Address";
constexpr const char* limits_group = "Limits";
constexpr const char* clients_group = "Clients";
constexpr const char* log_group = "Log";

CLI::Option* add_limit(CLI::App& app, const std::string& name, std::int64_t& limit,
                       const std::string& help, std::int64_t least = 1) {
  constexpr std::int64_t most = 1'000'000'000;
  return app.add_option(name, limit, help)
      ->check(whole_number(least, most))
      ->type_name("N")
      ->capture_default_str()
      ->group(limits_group);
}

void add_seconds(CLI::App& app, const std::string& name, double& seconds, const std::string& help) {
  constexpr double most = 86400;
  app.add_option(name, seconds, help)
      ->check(real_number(0, most))
      ->type_name("SECONDS")
      ->capture_default_str()
      ->group(limits_group);
}

void add_limits(CLI::App& app, ServeLimits& limits) {
  add_limit(app, "--max-body", limits.body_bytes, "Bytes of a request's body");
  add_limit(app, "--max-texts", limits.texts, "Texts of a request");
  add_limit(app, "--max-characters", limits.characters, "Characters of a request's texts");
  add_limit(app, "--max-waiting", limits.waiting_lines,
            "Lines of all requests that wait for translation");
  add_limit(app, "--max-connections", limits.connections, "Open connections");
  add_limit(app, "--cache-bytes", limits.cache_bytes,
            "Memory for translations of lines that clients may send again. 0: none", 0);
  add_limit(app, "--max-attention-weights", limits.attention_weights,
            "Attention weights that a client may ask for at once");
  add_limit(app, "--suggestion-bytes", limits.suggestion_bytes,
            "Size of the file of suggestions (--suggestions)");
  add_limit(app, "--max-files", limits.files,
            "Translated files that are kept for clients to download");
  add_limit(app, "--max-file-bytes", limits.file_bytes, "Memory for translated files");
  add_seconds(app, "--file-seconds", limits.file_seconds,
              "Time for which a translated file is kept");
  add_seconds(app, "--request-seconds", limits.request_seconds,
              "Time from a complete request to its reply");
  add_seconds(app, "--client-seconds", limits.client_seconds,
              "Time that a client may take to agree on keys (TLS), to send a header or a body, to "
              "receive a reply, or to stay idle");
  add_seconds(app, "--drain-seconds", limits.drain_seconds,
              "Time to answer accepted requests after SIGTERM or SIGINT");
}

/// Returns what is wrong with a prefix of paths, or an empty text.
std::string check_url_prefix(const std::string& prefix) {
  const auto is_allowed = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
           std::string_view("/-._~").find(letter) != std::string_view::npos;
  };
  if (prefix.size() > 1 && prefix.front() == '/' && prefix.back() != '/' &&
      std::ranges::all_of(prefix, is_allowed))
    return {};
  return "the prefix '" + prefix + "' is not a path such as /mt";
}

/// Returns what is wrong with an origin, which browsers send without a path, or an empty text.
std::string check_origin(const std::string& origin) {
  static const std::regex form("https?://[^/?#\\s]+");
  if (origin == "*" || std::regex_match(origin, form)) return {};
  return "the origin '" + origin +
         "' is neither * nor a scheme and a host without a path, such as "
         "https://example.org";
}

void add_client_options(CLI::App& app, ServeOptions& options) {
  app.add_option("--keys", options.keys,
                 "File with the keys of clients, one per line, optionally with the key's requests "
                 "per minute. Without a file, no client needs a key")
      ->type_name("FILE")
      ->group(clients_group);
  add_limit(app, "--requests-per-minute", options.access.requests_per_minute,
            "Requests of a key or, without keys, of an address. 0: no limit", 0)
      ->group(clients_group);
  app.add_flag("--trust-forwarded-for", options.access.trust_forwarded_for,
               "Take the address of a client from the header X-Forwarded-For, which a proxy sets")
      ->group(clients_group);
  app.add_option("--url-prefix", options.url_prefix, "Prefix of all paths, such as /mt")
      ->check(CLI::Validator(check_url_prefix, ""))
      ->type_name("PATH")
      ->group(clients_group);
  app.add_option("--cors", options.allowed_origin,
                 "Origin of web pages that may use the service, such as https://example.org; * "
                 "allows all")
      ->check(CLI::Validator(check_origin, ""))
      ->type_name("ORIGIN")
      ->group(clients_group);
  app.add_option("--suggestions", options.suggestions,
                 "File to which the translations that clients suggest are appended. Without a "
                 "file, suggestions are refused")
      ->type_name("FILE")
      ->group(clients_group);
}

void add_address_options(CLI::App& app, ServeOptions& options) {
  app.add_option("--host", options.address.host,
                 "Address to listen at; 0.0.0.0 accepts connections from other machines")
      ->type_name("ADDRESS")
      ->capture_default_str()
      ->group(address_group);
  app.add_option("--port", options.address.port, "Port to listen at; 0 finds a free one")
      ->check(whole_number(0, 65535))
      ->type_name("N")
      ->capture_default_str()
      ->group(address_group);
  auto* certificate =
      app.add_option("--tls-cert", options.tls.certificate,
                     "File with the certificate of the server (PEM), followed by those that sign "
                     "it. Connections are then encrypted (https)")
          ->type_name("FILE")
          ->group(address_group);
  app.add_option("--tls-key", options.tls.key, "File with the private key of the certificate (PEM)")
      ->needs(certificate)
      ->type_name("FILE")
      ->group(address_group);
  certificate->needs("--tls-key");
}

void add_options(CLI::App& app, ServeOptions& options) {
  app.add_option(
         "-m,--model", options.models,
         std::string(model_folder_help) + ". Repeat the option for further pairs of languages")
      ->allow_extra_args(false)
      ->type_name("FOLDER")
      ->group(input_group);
  add_address_options(app, options);
  add_client_options(app, options);
  add_named_option<LogFormat>(app, "format", "--log-format", options.log_format,
                              {{"text", LogFormat::text}, {"json", LogFormat::json}},
                              "Format of the log: text, or json with an object per line")
      ->default_str("text")
      ->group(log_group);
  add_limits(app, options.limits);
  add_runtime_options(app, options.runtime);
  add_decoding_options(app, options.decoding, Effect::decoding_output);
}

std::vector<ApiKey> load_keys(const ServeOptions& options) {
  return options.keys.empty() ? std::vector<ApiKey>() : read_keys(options.keys);
}

ServiceOptions service_options(const ServeOptions& options) {
  ServiceOptions service{options.limits, options.access, options.url_prefix, options.allowed_origin,
                         options.suggestions};
  service.access.keys = load_keys(options);
  return service;
}

SharedBatches sharing_options(const std::string& device, ServiceMetrics& metrics) {
  SharedBatches sharing;
  // On the CPU, each thread has a batch of its own.
  sharing.workers = device == "cpu" ? static_cast<std::size_t>(thread_count()) : 1;
  sharing.sentences = device == "cpu" ? 32 : 128;
  sharing.on_join = [&metrics](std::size_t sentences) { metrics.add_joined_batch(sentences); };
  return sharing;
}

EngineOptions engine_options(const ServeOptions& options, const SharedBatches& sharing,
                             ServiceMetrics& metrics) {
  constexpr std::size_t most_workers = 1024;
  EngineOptions engine;
  // As many lines as fill all batches. Most workers therefore wait for the translation of a line.
  engine.workers = std::min(sharing.workers * sharing.sentences, most_workers);
  engine.waiting_lines = static_cast<std::size_t>(options.limits.waiting_lines);
  engine.on_line = [&metrics](const LineReport& line) { metrics.add_line(line); };
  return engine;
}

/// Says where the service listens.
std::string describe_address(const ServeOptions& options, const HttpServer& server) {
  return options.address.socket
             ? fmt::format("the socket of the service manager, port {}", server.port())
             : fmt::format("http{}://{}:{}{}", options.tls.empty() ? "" : "s", options.address.host,
                           server.port(), options.url_prefix);
}

std::shared_ptr<TlsContext> load_certificate(const ServeOptions& options) {
  return options.tls.empty() ? nullptr : load_tls(options.tls);
}

/// What SIGHUP replaces, with functions that load it.
struct Reloadable {
  std::function<std::shared_ptr<const ServedModels>()> load_models;
  std::function<std::shared_ptr<TlsContext>()> load_certificate;
  std::function<std::vector<ApiKey>()> load_keys;
  TranslationService& service;
  HttpServer& server;
};

/// Loads the keys, the certificate and the models again. If that fails, the service keeps those
/// that it has.
void reload(const Reloadable& parts, ServiceManager& manager) {
  log_info("reloading the models");
  manager.reloading();
  try {
    auto keys = parts.load_keys();
    auto certificate = parts.load_certificate();
    const auto models = parts.load_models();
    parts.service.replace(models);
    parts.service.replace_keys(std::move(keys));
    parts.server.set_tls(std::move(certificate));
    log_info("reloaded: {}", models->router().describe());
    manager.ready(models->router().describe());
  } catch (...) {
    manager.ready("nothing could be reloaded, and everything stays as it was");
    throw;
  }
}

int serve_as_given(ServeOptions options) {
  if (options.log_format == LogFormat::json) use_json_log();
  // What the options name is read first, so that a wrong one is reported at once.
  const auto for_service = service_options(options);
  options.address.socket = inherited_socket(environment_variable);
  HttpServer server(options.address, options.limits, load_certificate(options));
  ServiceManager manager(environment_variable);
  const auto device = configure_translation(options.runtime);
  ServiceMetrics metrics;
  const auto sharing = sharing_options(device, metrics);
  const SpinLimiter spin_limiter(thread_count());
  const ThreadCountGuard threads_per_batch(sharing.workers > 1 ? 1 : thread_count());
  const auto models = load_served_models(options, device, sharing, metrics);
  const auto for_engine = engine_options(options, sharing, metrics);
  Engine engine(for_engine);
  TranslationService service(models, engine, metrics, for_service, interrupt_requested);
  const Reloadable reloadable{[&] { return load_served_models(options, device, sharing, metrics); },
                              [&] { return load_certificate(options); },
                              [&] { return load_keys(options); }, service, server};
  Reloader reloader([&] { reload(reloadable, manager); });
  install_signal_handlers();
  ignore_broken_pipe();
  install_reload_handler();
  log_info("{} at {}", models->router().describe(), describe_address(options, server));
  manager.ready(models->router().describe());
  const auto should_stop = [&] {
    manager.alive(std::chrono::steady_clock::now());
    if (take_reload_request()) reloader.request();
    if (interrupt_requested()) manager.stopping();
    return interrupt_requested();
  };
  const auto handler = [&service](const HttpRequest& request, const Respond& respond) {
    return service.handle(request, respond);
  };
  return server.run(handler, should_stop) ? 0 : 1;
}

}  // namespace

int run_serve(const ServeOptions& options) {
  return run_with_options(options.decoding, [&] { return serve_as_given(options); });
}

Command serve_command(Run<ServeOptions> run) {
  return {
      .name = "serve",
      .group = {},
      .section = "Translate",
      .summary = "Serves translations to clients of LibreTranslate and DeepL",
      .details =
          "Requests of all clients are translated in shared batches. A request is routed to "
          "the model of its languages: data.source_language and data.target_language of the "
          "model, or the endings of its training files. A model that was trained with data.tags "
          "is served for all pairs of its sets. If no model has a pair, two models translate "
          "one after the other. SIGTERM or SIGINT (Ctrl-C) stops the service when the requests "
          "that it has accepted are answered. SIGHUP loads the models and the certificate "
          "again.",
      .examples = {"tfm serve -m runs/demo",
                   "tfm serve -m runs/de_en -m runs/en_de --port 8080 --beam-size 2"},
      .read_more = "docs/serve.md",
      .prepare = with_options<ServeOptions>(add_options, std::move(run))};
}

}  // namespace tfm
