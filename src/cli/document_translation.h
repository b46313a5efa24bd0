// `tfm translate --document`: translates a document as a whole.
#pragma once

#include <memory>
#include <vector>

#include "tfm/documents/document.h"
#include "tfm/model/model.h"
#include "translate_options.h"

namespace tfm {

/// Reads the document of the options, or returns nullptr if they name none. Throws ConfigError if
/// other options cannot be combined with it, or if the format is not known. Throws as read_document
/// and InputFile do.
std::unique_ptr<Document> open_document(const TranslateOptions& options);

/// Translates the document and writes it to the file of the options, which appears when it is
/// complete. Throws Interrupted after a signal; then nothing is written.
void translate_document(const Document& document, std::vector<Model>& models,
                        const TranslateOptions& options);

}  // namespace tfm
