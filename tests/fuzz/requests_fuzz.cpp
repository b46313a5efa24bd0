// Checks that the parameters of any request give an HttpError or texts, and that the parts of a
// text are the text again. The first byte chooses the form of the body. The rest is the query up to
// the first line feed, and the body after it.
#include <array>
#include <cstdlib>
#include <string>

#include "serve/deepl.h"
#include "serve/libretranslate.h"
#include "serve/request_fields.h"
#include "serve/text_parts.h"

namespace {

const std::array<std::string, 3> forms{"application/json", "application/x-www-form-urlencoded",
                                       "multipart/form-data; boundary=x"};

void check_parts(const tfm::TranslateRequest& request) {
  for (const auto& text : request.texts) {
    std::string joined;
    for (const auto& part : tfm::split_text(text, request.format)) joined += part.text;
    if (joined != text) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto end = bytes.find('\n');
  tfm::HttpRequest request;
  request.method = "POST";
  request.target = "/translate?" + bytes.substr(0, end);
  request.headers["content-type"] = forms[data[0] % forms.size()];
  if (end != bytes.npos) request.body = bytes.substr(end + 1);
  try {
    const auto fields = tfm::read_fields(request);
    try {
      check_parts(tfm::read_libretranslate_request(fields, {}));
    } catch (const tfm::HttpError& error) {
      tfm::error_reply(error);
    }
    check_parts(tfm::read_deepl_request(fields, {}));
  } catch (const tfm::HttpError& error) {
    tfm::error_reply(error);
  }
  return 0;
}
