// A client of HTTPS for tests. It trusts only the certificate that it is given.
#pragma once

#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <csignal>
#include <filesystem>
#include <memory>

#include "http_client.h"

namespace tfm {

class TlsClient : public HttpClient {
 public:
  TlsClient(int port, const std::filesystem::path& trusted, int newest_version = 0)
      : HttpClient(port) {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to a socket that the server may have closed
    ::SSL_CTX_load_verify_file(context_.get(), trusted.c_str());
    ::SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    ::SSL_CTX_set_max_proto_version(context_.get(), newest_version);
    // Even versions that OpenSSL refuses by default.
    ::SSL_CTX_set_security_level(context_.get(), 0);
    connection_.reset(::SSL_new(context_.get()));
    ::SSL_set1_host(connection_.get(), "localhost");
    ::SSL_set_fd(connection_.get(), socket());
    is_encrypted_ = ::SSL_connect(connection_.get()) == 1;
  }

  /// Returns true if the handshake has succeeded, with a certificate that the client trusts.
  bool is_encrypted() const { return is_encrypted_; }
  std::string version() const { return ::SSL_get_version(connection_.get()); }
  /// Says that the client sends nothing more.
  void say_goodbye() const { ::SSL_shutdown(connection_.get()); }

 protected:
  long write_some(std::string_view bytes) const override {
    return ::SSL_write(connection_.get(), bytes.data(), static_cast<int>(bytes.size()));
  }
  long read_some(char* buffer, std::size_t size) override {
    return ::SSL_read(connection_.get(), buffer, static_cast<int>(size));
  }

 private:
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_{::SSL_CTX_new(::TLS_client_method()),
                                                        &::SSL_CTX_free};
  std::unique_ptr<SSL, void (*)(SSL*)> connection_{nullptr, &::SSL_free};
  bool is_encrypted_ = false;
};

}  // namespace tfm
