// Translates the files of POST /translate_file, and keeps them for GET /download_file. A document
// is read on a thread of its own, because that may take as long as many requests; its segments are
// lines of the engine.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "tfm/documents/document.h"
#include "tfm/serve/engine.h"
#include "tfm/serve/file_store.h"
#include "tfm/serve/http_server.h"
#include "tfm/serve/limits.h"
#include "tfm/serve/served_models.h"

namespace tfm {

/// The path below which translated files are found.
inline constexpr std::string_view download_path = "/download_file/";

struct DocumentRequest {
  std::string file_name;
  std::string bytes;
  DocumentFormat format = DocumentFormat::txt;
  std::string source;  ///< a code, or detected_source
  std::string target;
  std::string address;  ///< what the name of the translated file is appended to
};

/// Reads POST /translate_file. Throws HttpError 400 if a parameter is missing or wrong, or if the
/// ending of the file is not that of a format.
DocumentRequest read_document_request(const HttpRequest& request, const nlohmann::json& fields,
                                      const std::string& url_prefix);

class DocumentTranslations {
 public:
  /// The engine must outlive this object.
  DocumentTranslations(Engine& engine, const ServeLimits& limits);
  /// Drops the requests whose documents have not been read.
  ~DocumentTranslations();

  /// Answers a request. `count` is called with the characters of the document, by another thread.
  /// Throws HttpError 400 if no model has the languages, and 503 if too many documents are waiting.
  CancelRequest translate(DocumentRequest request, std::shared_ptr<const ServedModels> models,
                          std::function<void(std::int64_t)> count, const Respond& respond);
  /// Returns the reply with the file of a name. Throws HttpError 404 if it is not there.
  HttpReply download(std::string_view name);

 private:
  class Worker;
  struct Job;

  void read(const std::shared_ptr<Job>& job);

  Engine& engine_;
  ServeLimits limits_;
  std::shared_ptr<FileStore> files_;  // the engine may add a file after the end of this object
  std::unique_ptr<Worker> worker_;
};

}  // namespace tfm
