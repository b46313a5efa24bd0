// Makes certificates for tests, with the library that the program uses.
#pragma once

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace tfm {

using OpenFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

inline OpenFile open_to_write(const std::filesystem::path& file) {
  return {std::fopen(file.c_str(), "w"), &std::fclose};
}

/// Writes NAME.pem, a certificate that signs itself for localhost and 127.0.0.1, and NAME.key. It
/// is valid from an hour ago for `seconds` from now on.
inline void write_certificate(const std::filesystem::path& folder, const std::string& name,
                              long seconds = 3600) {
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(::EVP_EC_gen("P-256"), &::EVP_PKEY_free);
  const std::unique_ptr<X509, void (*)(X509*)> made(::X509_new(), &::X509_free);
  ::X509_set_version(made.get(), 2);
  ::ASN1_INTEGER_set(::X509_get_serialNumber(made.get()), 1);
  ::X509_gmtime_adj(::X509_getm_notBefore(made.get()), -3600);
  ::X509_gmtime_adj(::X509_getm_notAfter(made.get()), seconds);
  ::X509_set_pubkey(made.get(), key.get());
  auto* subject = ::X509_get_subject_name(made.get());
  const auto* text = reinterpret_cast<const unsigned char*>(name.c_str());
  ::X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, text, -1, -1, 0);
  ::X509_set_issuer_name(made.get(), subject);
  auto* names =
      ::X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
  ::X509_add_ext(made.get(), names, -1);
  ::X509_EXTENSION_free(names);
  ::X509_sign(made.get(), key.get(), ::EVP_sha256());
  ::PEM_write_X509(open_to_write(folder / (name + ".pem")).get(), made.get());
  ::PEM_write_PrivateKey(open_to_write(folder / (name + ".key")).get(), key.get(), nullptr, nullptr,
                         0, nullptr, nullptr);
}

/// Writes a key that needs a passphrase.
inline void write_locked_key(const std::filesystem::path& file) {
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(::EVP_EC_gen("P-256"), &::EVP_PKEY_free);
  std::string passphrase = "secret";
  ::PEM_write_PrivateKey(open_to_write(file).get(), key.get(), ::EVP_aes_128_cbc(),
                         reinterpret_cast<unsigned char*>(passphrase.data()),
                         static_cast<int>(passphrase.size()), nullptr, nullptr);
}

}  // namespace tfm
