#include "document_translation.h"

#include <algorithm>
#include <utility>

#include "load.h"
#include "output.h"
#include "tfm/core/error.h"
#include "tfm/core/input_file.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/line_progress.h"
#include "tfm/core/log.h"
#include "tfm/translate/html_lines.h"
#include "tfm/translate/line_warnings.h"

namespace tfm {
namespace {

/// The most segments that are translated together.
constexpr std::size_t segments_at_once = 2048;
/// The largest document that is read, in bytes.
constexpr std::size_t largest_document = std::size_t{1} << 30;

void check_conflicts(const TranslateOptions& options) {
  const std::vector<std::pair<const char*, bool>> others{
      {"text arguments", !options.texts.empty()},
      {"--input", !options.input.empty()},
      {"--resume", options.resume},
      {"--format", options.format != OutputFormat::automatic},
      {"--alignment", options.alignment},
      {"--explain", options.explain},
      {"--attention", !options.attention.empty()},
      {"--trace", !options.trace.empty()},
      {"--target-prefix-file", !options.prefixes.empty()},
      {"--forced-phrases-file", !options.phrases.empty()}};
  for (const auto& [name, is_given] : others) {
    if (is_given)
      throw ConfigError("--document", std::string("can't be combined with ") + name,
                        "Give either a document or lines; the other options are for lines.");
  }
}

DocumentFormat require_format(const std::filesystem::path& file) {
  if (const auto format = document_format(file)) return *format;
  throw ConfigError("--document", "the ending of " + file.string() + " is not that of a format",
                    "The endings are " + list_document_endings() + ".");
}

void check_output(const TranslateOptions& options, DocumentFormat format) {
  if (options.output.empty())
    throw ConfigError("--document", "needs a file to write",
                      "Give it with -o FILE, or write to stdout with -o -.");
  if (options.output == "-") return;
  if (document_format(options.output) != format)
    throw ConfigError("--output", options.output.string() + " has another ending than the document",
                      "A document is written in the format in which it was read.");
}

}  // namespace

std::unique_ptr<Document> open_document(const TranslateOptions& options) {
  if (options.document.empty()) {
    if (options.mark_fuzzy)
      throw ConfigError("--mark-fuzzy", "is for documents", "Name a .po file with --document.");
    return nullptr;
  }
  check_conflicts(options);
  const auto format = require_format(options.document);
  check_output(options, format);
  if (options.mark_fuzzy && format != DocumentFormat::po)
    throw ConfigError("--mark-fuzzy", "is for documents that end in .po", "Leave the option out.");
  return read_document(
      read_text_file(options.document, largest_document),
      {.name = options.document.string(), .format = format, .mark_fuzzy = options.mark_fuzzy});
}

void translate_document(const Document& document, std::vector<Model>& models,
                        const TranslateOptions& options) {
  Output output(options.output);
  output.install_handlers();
  const auto& config = models.front().config();
  const Translator translator(pointers(models), config.decoding);
  LineWarnings warnings(config.tokenizer.kind, 0);
  const auto& segments = document.segments();
  std::vector<std::string> translations;
  LineProgress progress(
      [&] { return static_cast<double>(translations.size()) / std::max(segments.size(), 1UL); },
      options.output != "-");
  progress.begin(0);
  while (translations.size() < segments.size()) {
    const auto done = std::ssize(translations);
    const auto count = std::min(segments.size() - translations.size(), segments_at_once);
    const auto first = segments.begin() + done;
    const std::vector<std::string> lines(first, first + static_cast<std::ptrdiff_t>(count));
    TranslationRequest request{.first_line = done};
    request.scores = false;
    request.on_batch = [&](double share) {
      if (interrupt_requested()) output.interrupt();
      progress.show(done, static_cast<std::int64_t>(count), share);
    };
    request.on_batch(0);
    for (auto& translation : translate_html_lines(translator, lines, request)) {
      warnings.add(std::ssize(translations), translation);
      translations.push_back(std::move(translation.candidates.front().text));
    }
  }
  output.write(document.with_translations(translations));
  output.finish();
  warnings.log_summary("translate");
  progress.log_total("translated", std::ssize(segments));
}

}  // namespace tfm
