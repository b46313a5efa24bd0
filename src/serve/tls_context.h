// What TlsContext holds: the settings of OpenSSL that all connections with a certificate share.
#pragma once

#include <boost/asio/ssl/context.hpp>

#include "tfm/serve/tls.h"

namespace tfm {

class TlsContext {
 public:
  TlsContext() : context(boost::asio::ssl::context::tls_server) {}

  boost::asio::ssl::context context;
};

}  // namespace tfm
