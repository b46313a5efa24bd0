// The certificate with which a service encrypts its connections (TLS 1.2 and 1.3, by OpenSSL). The
// value never changes: a renewed certificate is another one (HttpServer::set_tls).
#pragma once

#include <filesystem>
#include <memory>

namespace tfm {

struct TlsFiles {
  std::filesystem::path certificate;  ///< PEM: the server's certificate, then those that sign it
  std::filesystem::path key;          ///< PEM: the private key, without a passphrase

  bool empty() const { return certificate.empty() && key.empty(); }
};

class TlsContext;

/// Reads the files. Warns if the certificate has expired. Throws ConfigError if a file can't be
/// read or has another form, or if the key is not that of the certificate.
std::shared_ptr<TlsContext> load_tls(const TlsFiles& files);

}  // namespace tfm
