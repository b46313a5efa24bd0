// `tfm serve`: answers translation requests over HTTP.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runtime_options.h"
#include "tfm/help/command.h"
#include "tfm/serve/access.h"
#include "tfm/serve/http_server.h"
#include "tfm/serve/limits.h"
#include "tfm/serve/tls.h"

namespace tfm {

enum class LogFormat { text, json };

struct ServeOptions {
  /// model folders, one per pair of languages; if empty, $TFM_MODEL or the newest run
  std::vector<std::filesystem::path> models;
  HttpAddress address;
  TlsFiles tls;  ///< empty: connections are not encrypted
  ServeLimits limits;
  std::filesystem::path keys;  ///< a file; empty: no request needs a key
  AccessRules access;          ///< but for its keys
  std::string url_prefix;
  std::string allowed_origin;         ///< ServiceOptions::allowed_origin
  std::filesystem::path suggestions;  ///< ServiceOptions::suggestions
  LogFormat log_format = LogFormat::text;
  std::vector<std::string> decoding;  ///< "decoding.key=value"
  RuntimeOptions runtime;
};

int run_serve(const ServeOptions& options);
Command serve_command(Run<ServeOptions> run = run_serve);

}  // namespace tfm
