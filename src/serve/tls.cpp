#include "tfm/serve/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <fstream>
#include <string>

#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tls_context.h"

namespace tfm {
namespace {

namespace ssl = boost::asio::ssl;

/// Ciphers of TLS 1.2 with forward secrecy and authenticated encryption. Those of TLS 1.3 all are.
constexpr const char* tls_1_2_ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

void check_readable(const std::filesystem::path& file, const std::string& content) {
  if (std::filesystem::is_directory(file) || !std::ifstream(file))
    throw ConfigError(file.string(), "the file of the " + content + " can't be read",
                      "Check its name, and that the user who runs tfm may read it.");
}

void use_certificate(ssl::context& context, const std::filesystem::path& file) {
  check_readable(file, "certificate");
  boost::system::error_code error;
  context.use_certificate_chain_file(file.string(), error);
  if (error)
    throw ConfigError(file.string(), "is not a certificate in PEM: " + error.message(),
                      "Name a file that begins with -----BEGIN CERTIFICATE-----.");
}

void use_key(ssl::context& context, const TlsFiles& files) {
  check_readable(files.key, "private key");
  boost::system::error_code error;
  // Without this, OpenSSL would ask for a passphrase at the terminal.
  context.set_password_callback([](std::size_t, ssl::context::password_purpose) { return ""; },
                                error);
  ::ERR_clear_error();
  if (::SSL_CTX_use_PrivateKey_file(context.native_handle(), files.key.c_str(), SSL_FILETYPE_PEM) ==
      1)
    return;
  const auto code = ::ERR_peek_last_error();
  const char* reason = ::ERR_reason_error_string(::ERR_peek_error());
  ::ERR_clear_error();
  if (ERR_GET_REASON(code) == X509_R_KEY_VALUES_MISMATCH)
    throw ConfigError(files.key.string(),
                      "the key is not that of the certificate " + files.certificate.string(),
                      "Name the key that the certificate was made for.");
  throw ConfigError(files.key.string(),
                    std::string("is not a private key in PEM without a passphrase: ") +
                        (reason != nullptr ? reason : "unknown error"),
                    "Name a file that begins with -----BEGIN PRIVATE KEY----- or similar; "
                    "openssl pkey -in FILE -out FILE removes a passphrase.");
}

void warn_if_expired(ssl::context& context, const std::filesystem::path& file) {
  const auto* certificate = ::SSL_CTX_get0_certificate(context.native_handle());
  if (certificate != nullptr && ::X509_cmp_current_time(::X509_get0_notAfter(certificate)) < 0)
    log_warn("the certificate {} has expired: clients will refuse it", file.string());
}

}  // namespace

std::shared_ptr<TlsContext> load_tls(const TlsFiles& files) {
  auto tls = std::make_shared<TlsContext>();
  auto* settings = tls->context.native_handle();
  ::SSL_CTX_set_min_proto_version(settings, TLS1_2_VERSION);
  ::SSL_CTX_set_options(settings, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  ::SSL_CTX_set_cipher_list(settings, tls_1_2_ciphers);
  // Clients resume sessions with tickets, which take no memory here.
  ::SSL_CTX_set_session_cache_mode(settings, SSL_SESS_CACHE_OFF);
  use_certificate(tls->context, files.certificate);
  use_key(tls->context, files);
  warn_if_expired(tls->context, files.certificate);
  return tls;
}

}  // namespace tfm
