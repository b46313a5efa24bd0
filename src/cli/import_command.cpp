#include "tfm/cli/commands.h"
#include "tfm/cli/output.h"
#include "tfm/core/error.h"
#include "tfm/interop/huggingface.h"
#include "tfm/interop/imported_model.h"
#include "tfm/interop/marian.h"

namespace tfm {

int import_command(const ImportOptions& options) {
  const bool marian = options.format == ImportFormat::marian;
  if (!marian && !(options.vocabularies.empty() && options.sentencepiece.empty())) {
    throw ConfigError("--vocab, --sentencepiece",
                      "a Hugging Face folder holds its own vocabularies", "Leave them out.");
  }
  require_free_folder(options.output);  // before the import, which takes a while
  const auto model = marian ? import_marian({.model = options.model,
                                             .vocabularies = options.vocabularies,
                                             .sentencepiece = options.sentencepiece})
                            : import_huggingface(options.model);
  save_imported(model, options.output, marian ? "marian" : "huggingface", options.model);
  Output output;
  output.line(options.output.string());
  output.finish();
  return 0;
}

}  // namespace tfm
