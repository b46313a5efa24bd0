// The body of a request as multipart/form-data (RFC 7578), in which clients send files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfm {

struct FormPart {
  std::string name;
  std::string file_name;  ///< empty if the part is not a file
  std::string_view content;
};

/// Returns the parts, whose contents are views into the body. `content_type` is the header of the
/// request. Throws HttpError 400 if the body is not complete, or has more than 32 parts.
std::vector<FormPart> read_multipart(std::string_view content_type, std::string_view body);

}  // namespace tfm
