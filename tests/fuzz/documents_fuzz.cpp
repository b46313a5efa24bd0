// Checks that any bytes, read as a document of each format, give a DataError, or a document that is
// the same with its own segments as translations, and that can be read again with others. The first
// byte chooses the format.
#include <cstdlib>
#include <string>
#include <vector>

#include "tfm/core/error.h"
#include "tfm/documents/document.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto endings = tfm::document_endings();
  tfm::DocumentOptions options;
  options.name = "fuzz";
  options.format = endings[data[0] % endings.size()].format;
  options.limits.entry_bytes = options.limits.total_bytes = std::uint64_t{1} << 20;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const auto document = tfm::read_document(bytes, options);
    const auto& segments = document->segments();
    const auto same = document->with_translations(segments);
    if (options.format != tfm::DocumentFormat::po && same != bytes) std::abort();
    auto translations = segments;
    for (auto& text : translations) text = "<g2>x</g1> &lt; <x1/><b>" + text;
    tfm::read_document(document->with_translations(translations), options);
  } catch (const tfm::DataError&) {
  }
  return 0;
}
