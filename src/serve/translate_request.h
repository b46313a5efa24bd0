// A request to translate texts, whichever API it comes from, with what the APIs share: readers of
// parameters that report what is wrong, and limits on the texts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tfm/serve/engine.h"
#include "tfm/serve/http_message.h"
#include "tfm/serve/language_detection.h"
#include "tfm/serve/limits.h"

namespace tfm {

/// The source language of a request whose texts are to be detected.
inline constexpr const char* detected_source = "auto";

enum class TextFormat { text, html };

struct TranslateRequest {
  std::vector<std::string> texts;
  bool is_list = false;  ///< true if the texts were sent as a list, so that the reply has lists
  std::string source;    ///< a code, or detected_source
  std::string target;
  TextFormat format = TextFormat::text;
  std::int64_t alternatives = 0;  ///< the most further translations per text
  LineDetails details{};          ///< of each line of the texts

  bool detects_source() const { return source == detected_source; }
};

/// A line of a text with its translation.
struct TranslatedLine {
  std::string source;
  LineTranslation translation;
};

/// The translation of one text.
struct TextTranslation {
  std::vector<std::string> candidates;  ///< best first
  std::optional<Detection> detected;    ///< set if the source language was to be detected
  std::string pivot;                    ///< the language between (ServedModel)
  std::vector<TranslatedLine> lines{};  ///< set if details of them were requested
};

/// Returns the text of a parameter. Throws HttpError 400 if the parameter is missing, is null or
/// not a text.
std::string read_text(const nlohmann::json& fields, const std::string& name);
/// Returns a text that has no line break. Throws HttpError 400 as read_text does, and if it has
/// one.
std::string read_line(const nlohmann::json& fields, const std::string& name);
/// Returns nullopt if the parameter is missing or null. Throws HttpError 400 if it is not a text.
std::optional<std::string> read_optional_text(const nlohmann::json& fields,
                                              const std::string& name);
/// Returns a request to translate one line: `q`, `source` and `target`. Throws HttpError 400 as
/// read_line does.
TranslateRequest read_line_request(const nlohmann::json& fields);
/// Returns the texts of a parameter that is a text or a list. Throws HttpError 400 if the parameter
/// is missing or of another form.
std::vector<std::string> read_texts(const nlohmann::json& fields, const std::string& name);

/// Returns a parameter that is true or false, which a form sends as text; false if it is missing.
/// Throws HttpError 400 if it is something else.
bool read_flag(const nlohmann::json& fields, const std::string& name);

struct NumberRange {
  std::int64_t least = 0;
  std::int64_t most = 0;
};
/// Returns a whole number, which a form sends as text; nullopt if it is missing. Throws HttpError
/// 400 if the parameter is something else, or a number outside the range.
std::optional<std::int64_t> read_number(const nlohmann::json& fields, const std::string& name,
                                        const NumberRange& range);

/// Returns the number of code points of the texts together.
std::int64_t count_characters(const std::vector<std::string>& texts);
/// Throws HttpError 413 if the texts together are too long.
void check_characters(const std::vector<std::string>& texts, const ServeLimits& limits);
/// Throws HttpError 413 if the texts are too many or too long.
void check_sizes(const std::vector<std::string>& texts, const ServeLimits& limits);

/// Returns the reply if a line of a request could not be translated: the error, if it is an
/// HttpError, otherwise 500. The engine has logged the cause (Engine::Result).
HttpError failed_translation(const std::exception_ptr& error);

/// Returns a reply with a JSON body. Invalid UTF-8 is replaced by U+FFFD.
HttpReply json_reply(const nlohmann::json& body, int status = 200);

}  // namespace tfm
