#include "document_translations.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <nlohmann/json.hpp>
#include <thread>

#include "model_choice.h"
#include "tfm/core/clock.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/markup/markup.h"
#include "tfm/text/utf8.h"
#include "translate_request.h"

namespace tfm {
namespace {

/// The most documents that wait to be read.
constexpr std::size_t most_waiting_documents = 32;

/// Archives may unpack to less than in a command, because several clients share the memory.
constexpr ArchiveLimits served_archives{.entries = 5000,
                                        .entry_bytes = std::uint64_t{16} << 20,
                                        .total_bytes = std::uint64_t{128} << 20};

/// Returns a file name without folders.
std::string base_name(const std::string& name) {
  const auto slash = name.find_last_of("/\\");
  return slash == name.npos ? name : name.substr(slash + 1);
}

/// Returns "https://host/prefix" of this service as the client sees it. Without a header Host, the
/// address is only a path.
std::string service_address(const HttpRequest& request, const std::string& url_prefix) {
  const auto host = request.header("host");
  const bool is_valid = !host.empty() && std::ranges::all_of(host, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-._:[]").find(c) != std::string_view::npos;
  });
  if (!is_valid) return url_prefix;
  const bool is_https = request.is_encrypted || request.header("x-forwarded-proto") == "https";
  return fmt::format("{}://{}{}", is_https ? "https" : "http", host, url_prefix);
}

/// Returns "letter_en.docx" for letter.docx.
std::string translated_name(const DocumentRequest& request) {
  const std::filesystem::path name(request.file_name);
  return name.stem().string() + "_" + request.target + name.extension().string();
}

/// Returns the header that names a file (RFC 6266): in ASCII, and in UTF-8.
std::string content_disposition(const std::string& name) {
  std::string plain;
  std::string encoded;
  for (const char c : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                          std::string_view("-._").find(c) != std::string_view::npos;
    plain += is_plain ? c : '_';
    encoded += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return fmt::format("attachment; filename=\"{}\"; filename*=UTF-8''{}", plain, encoded);
}

/// Returns the segments without their markup, for the detection of their language.
std::string plain_lines(const std::vector<std::string>& segments) {
  std::string text;
  for (const auto& segment : segments) text.append(MarkedText(segment).plain()).append("\n");
  return text;
}

/// Returns the translations of a document that already is in the target language.
Engine::Result unchanged(const std::vector<std::string>& segments) {
  Engine::Result result;
  for (const auto& segment : segments) result.lines.push_back({{segment}});
  return result;
}

HttpError document_error(const std::exception& error) {
  if (const auto* const known = dynamic_cast<const HttpError*>(&error)) return *known;
  if (const auto* const known = dynamic_cast<const Error*>(&error))
    return {400, repair_utf8(known->summary())};
  log_error("POST /translate_file: {}", error.what());
  return failed_translation(std::current_exception());
}

}  // namespace

DocumentRequest read_document_request(const HttpRequest& request, const nlohmann::json& fields,
                                      const std::string& url_prefix) {
  DocumentRequest document;
  document.bytes = read_text(fields, "file");
  document.file_name = base_name(read_optional_text(fields, "file_name").value_or(""));
  document.source = read_text(fields, "source");
  document.target = read_text(fields, "target");
  const auto format = document_format(document.file_name);
  if (!format)
    throw HttpError(400, "the ending of the file is not that of a format; the endings are " +
                             list_document_endings());
  document.format = *format;
  document.address = service_address(request, url_prefix).append(download_path);
  return document;
}

/// A request on its way through the threads.
struct DocumentTranslations::Job {
  DocumentRequest request;
  std::shared_ptr<const ServedModels> models;
  std::function<void(std::int64_t)> count;
  Respond respond;
  std::unique_ptr<Document> document;

  std::mutex mutex;  // of the members below
  bool is_cancelled = false;
  std::optional<Engine::Ticket> ticket;

  void fail(const std::exception& error) { respond(error_reply(document_error(error))); }

  /// Writes the translated document and answers the request.
  void finish(const Engine::Result& result, FileStore& files) {
    try {
      if (result.error) throw failed_translation(result.error);
      std::vector<std::string> translations;
      for (const auto& line : result.lines) translations.push_back(line.text());
      const auto name = files.add({.bytes = document->with_translations(translations),
                                   .media_type = std::string(media_type(request.format)),
                                   .download_name = translated_name(request)},
                                  std::filesystem::path(request.file_name).extension().string(),
                                  steady_seconds());
      if (!name) throw HttpError(413, "the translated file is larger than the service keeps");
      respond(json_reply({{"translatedFileUrl", request.address + *name}}));
    } catch (const std::exception& error) {
      fail(error);
    }
  }
};

/// A thread that runs functions one after the other. The destructor drops those that wait.
class DocumentTranslations::Worker {
 public:
  void add(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      if (tasks_.size() >= most_waiting_documents)
        throw HttpError(503, "too many documents are waiting");
      tasks_.push_back(std::move(task));
    }
    changed_.notify_all();
  }

 private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return !tasks_.empty(); }) &&
           !stop.stop_requested()) {
      const auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::function<void()>> tasks_;
  std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};
};

DocumentTranslations::DocumentTranslations(Engine& engine, const ServeLimits& limits)
    : engine_(engine),
      limits_(limits),
      files_(std::make_shared<FileStore>(
          FileStoreLimits{.files = static_cast<std::size_t>(limits.files),
                          .bytes = static_cast<std::size_t>(limits.file_bytes),
                          .seconds = limits.file_seconds})),
      worker_(std::make_unique<Worker>()) {}

DocumentTranslations::~DocumentTranslations() = default;

CancelRequest DocumentTranslations::translate(DocumentRequest request,
                                              std::shared_ptr<const ServedModels> models,
                                              std::function<void(std::int64_t)> count,
                                              const Respond& respond) {
  check_languages(models->router(), request.source, request.target);
  const auto job = std::make_shared<Job>();
  job->request = std::move(request);
  job->models = std::move(models);
  job->count = std::move(count);
  job->respond = respond;
  worker_->add([this, job] {
    try {
      read(job);
    } catch (const std::exception& error) {
      job->fail(error);
    }
  });
  return [this, job] {
    const std::lock_guard lock(job->mutex);
    job->is_cancelled = true;
    if (job->ticket) engine_.cancel(*job->ticket);
  };
}

void DocumentTranslations::read(const std::shared_ptr<Job>& job) {
  {
    const std::lock_guard lock(job->mutex);
    if (job->is_cancelled) return;
  }
  job->document = read_document(
      std::exchange(job->request.bytes, {}),
      {.name = job->request.file_name, .format = job->request.format, .limits = served_archives});
  const auto& segments = job->document->segments();
  check_characters(segments, limits_);
  job->count(count_characters(segments));
  const auto& source = job->request.source;
  const auto* model = choose_model(*job->models, {source, job->request.target}, [&] {
                        return plain_lines(segments);
                      }).model;
  if (model == nullptr) return job->finish(unchanged(segments), *files_);
  std::vector<Engine::Line> lines;
  for (const auto& segment : segments) lines.push_back({model->html, segment, model->tags});
  const std::lock_guard lock(job->mutex);
  if (job->is_cancelled) return;
  job->ticket = engine_.submit(
      std::move(lines), [job, files = files_](const auto& result) { job->finish(result, *files); });
}

HttpReply DocumentTranslations::download(std::string_view name) {
  const auto file = files_->find(name, steady_seconds());
  if (file == nullptr) throw HttpError(404, "there is no such file, or it is no longer kept");
  return {.status = 200,
          .body = file->bytes,
          .content_type = file->media_type,
          .headers = {{"Content-Disposition", content_disposition(file->download_name)},
                      {"Content-Security-Policy", "default-src 'none'; sandbox"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Cache-Control", "no-store"}}};
}

}  // namespace tfm
