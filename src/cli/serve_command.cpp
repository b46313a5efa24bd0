#include "serve_command.h"

#include <fmt/format.h>

#include <deque>

#include "common_options.h"
#include "field_options.h"
#include "load.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/data/language_pair.h"
#include "tfm/model/model_files.h"
#include "tfm/serve/engine.h"
#include "tfm/serve/language_router.h"
#include "tfm/serve/service.h"
#include "tfm/tensor/runtime.h"
#include "tfm/tensor/spin_limiter.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

constexpr const char* address_group = "Address";
constexpr const char* limits_group = "Limits";

void add_limit(CLI::App& app, const std::string& name, std::int64_t& limit,
               const std::string& help) {
  constexpr std::int64_t most = 1'000'000'000;
  app.add_option(name, limit, help)
      ->check(whole_number(1, most))
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
  add_seconds(app, "--request-seconds", limits.request_seconds,
              "Time from a complete request to its reply");
  add_seconds(app, "--client-seconds", limits.client_seconds,
              "Time that a client may take to send a header or a body, to receive a reply, or to "
              "stay idle");
  add_seconds(app, "--drain-seconds", limits.drain_seconds,
              "Time to answer accepted requests after SIGTERM or SIGINT");
}

void add_options(CLI::App& app, ServeOptions& options) {
  app.add_option(
         "-m,--model", options.models,
         std::string(model_folder_help) + ". Repeat the option for further pairs of languages")
      ->allow_extra_args(false)
      ->type_name("FOLDER")
      ->group(input_group);
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
  add_limits(app, options.limits);
  add_runtime_options(app, options.runtime);
  add_decoding_options(app, options.decoding, Effect::decoding_output);
}

/// A model with what translates with it.
struct ServedModel {
  std::vector<Model> models;  // one
  Translator translator;

  explicit ServedModel(std::vector<Model> loaded)
      : models(std::move(loaded)), translator(models.front(), models.front().config().decoding) {}
};

LanguagePair languages_of(const Model& model) {
  const auto languages = resolve_languages(model.config().data);
  const auto file = (model.folder() / config_file).string();
  if (languages.source.empty())
    throw ConfigError(file, "data.source_language is not set",
                      "Set it to the code of the model's source language, such as de.");
  if (languages.target.empty())
    throw ConfigError(file, "data.target_language is not set",
                      "Set it to the code of the model's target language, such as en.");
  return languages;
}

/// Loads each model apart, because they do not form an ensemble.
std::deque<ServedModel> load_served_models(const ServeOptions& options,
                                           std::vector<LanguagePair>& languages) {
  auto folders = options.models;
  if (folders.empty()) folders.emplace_back();
  std::deque<ServedModel> served;
  for (const auto& folder : folders) {
    const auto named = folder.empty() ? std::vector<std::filesystem::path>() : std::vector{folder};
    auto models = load_models(named, options.runtime, options.decoding);
    languages.push_back(languages_of(models.front()));
    served.emplace_back(std::move(models));
  }
  return served;
}

/// On the CPU, each thread translates a batch of its own.
std::size_t count_workers(const Model& model) {
  return model.device() == "cpu" ? static_cast<std::size_t>(thread_count()) : 1;
}

int serve_as_given(const ServeOptions& options) {
  // The address is opened first, so that a wrong one is reported at once.
  HttpServer server(options.address, options.limits);
  std::vector<LanguagePair> languages;
  const auto served = load_served_models(options, languages);
  const LanguageRouter router(languages);
  std::vector<Engine::Lane> lanes;
  for (const auto& each : served) {
    for (auto& lane : make_lanes(each.translator)) lanes.push_back(std::move(lane));
  }
  EngineOptions engine_options;
  engine_options.workers = count_workers(served.front().models.front());
  engine_options.waiting_lines = static_cast<std::size_t>(options.limits.waiting_lines);
  const SpinLimiter spin_limiter(thread_count());
  const ThreadCountGuard one_thread_per_worker(engine_options.workers > 1 ? 1 : thread_count());
  Engine engine(std::move(lanes), engine_options);
  const TranslationService service(router, engine, options.limits, interrupt_requested);
  install_signal_handlers();
  log_info("{} at http://{}:{}", router.describe(), options.address.host, server.port());
  const bool complete =
      server.run([&](const HttpRequest& request,
                     const Respond& respond) { return service.handle(request, respond); },
                 interrupt_requested);
  return complete ? 0 : 1;
}

}  // namespace

int run_serve(const ServeOptions& options) {
  return run_with_options(options.decoding, [&] { return serve_as_given(options); });
}

Command serve_command(Run<ServeOptions> run) {
  return {.name = "serve",
          .group = {},
          .section = "Translate",
          .summary = "Answers translation requests over HTTP, as LibreTranslate does",
          .details =
              "Requests of all clients are translated in shared batches. A request is routed to "
              "the model of its languages: data.source_language and data.target_language of the "
              "model, or the endings of its training files. SIGTERM or SIGINT (Ctrl-C) stops the "
              "service when the requests that it has accepted are answered.",
          .examples = {"tfm serve -m runs/demo",
                       "tfm serve -m runs/de_en -m runs/en_de --port 8080 --beam-size 2"},
          .read_more = "docs/serve.md",
          .prepare = with_options<ServeOptions>(add_options, std::move(run))};
}

}  // namespace tfm
