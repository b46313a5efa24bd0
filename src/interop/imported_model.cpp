#include "tfm/interop/imported_model.h"

#include <unistd.h>

#include "assemble.h"
#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/model/model_record.h"
#include "tfm/tokenizer/mapped_sentencepiece_tokenizer.h"
#include "tfm/tokenizer/word_tokenizer.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

TokenizerPair make_tokenizers(const TokenizerConfig& config, const ImportedEmbeddings& embeddings,
                              const std::vector<fs::path>& sentencepiece) {
  Vocab source(embeddings.source_tokens, config, "source vocabulary");
  Vocab target(embeddings.target_tokens, config, "target vocabulary");
  if (config.kind == TokenizerKind::pieces) {
    const auto& [first, last] = std::pair(sentencepiece.front(), sentencepiece.back());
    return {std::make_shared<const MappedSentencePieceTokenizer>(read_file(first),
                                                                 std::move(source), first.string()),
            std::make_shared<const MappedSentencePieceTokenizer>(read_file(last), std::move(target),
                                                                 last.string())};
  }
  const auto both = std::make_shared<const WordTokenizer>(std::move(source));
  if (config.joint) return {both, both};
  return {both, std::make_shared<const WordTokenizer>(std::move(target))};
}

/// A temporary folder next to the final one; removed unless it was moved into place.
class UnfinishedFolder {
 public:
  explicit UnfinishedFolder(const fs::path& folder) {
    std::error_code error;
    folder_ = fs::weakly_canonical(fs::absolute(folder, error), error);
    if (error)
      throw ModelError(folder.string(), "can't be written: " + error.message(),
                       "Name another folder.");
    if (!folder_.has_filename()) folder_ = folder_.parent_path();  // of "models/opus/"
    path_ = folder_;
    path_ += ".tmp-" + std::to_string(::getpid());
    remove_tree(path_);  // left by an earlier process with the same id
  }
  ~UnfinishedFolder() {
    std::error_code ignored;  // already moved into place, or another error is being reported
    fs::remove_all(path_, ignored);
  }
  UnfinishedFolder(const UnfinishedFolder&) = delete;
  UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;

  const fs::path& path() const { return path_; }
  /// Replaces an empty folder; fails if it has been filled meanwhile.
  void put_in_place() const {
    std::error_code error;
    fs::rename(path_, folder_, error);
    if (error)
      throw ModelError(folder_.string(), "can't be moved into place: " + error.message(),
                       "Name another folder.");
    sync_folder(folder_.parent_path());
  }

 private:
  fs::path folder_;
  fs::path path_;
};

}  // namespace

void check_config_limits(const Config& config, const fs::path& origin) {
  try {
    parse_config(write_config(config), "its configuration");
  } catch (const ConfigError& error) {
    throw ModelError(origin.string(),
                     std::string("describes a model that tfm does not support: ") + error.what());
  }
}

TranslationModel assemble(const ForeignModelParts& foreign) {
  TranslationModel model;
  model.config = foreign.config;
  auto weights = foreign.weights;
  foreign.embeddings.add_to(weights, model.config, foreign.origin);
  check_config_limits(model.config, foreign.origin);
  try {
    model.tokenizers =
        make_tokenizers(model.config.tokenizer, foreign.embeddings, foreign.sentencepiece);
  } catch (const DataError& error) {
    throw ModelError(foreign.origin.string(), error.what());
  }
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  load_state_dict(*model.network, weights, foreign.origin);
  model.network->eval();
  return model;
}

void require_free_folder(const fs::path& folder) {
  std::error_code none;  // an unreadable path fails later, with the reason, when it is written to
  if (!fs::exists(folder, none) || (fs::is_directory(folder, none) && fs::is_empty(folder, none)))
    return;
  const bool model =
      fs::exists(folder / weights_file, none) || fs::exists(folder / config_file, none);
  throw ModelError(folder.string(),
                   model ? "holds a model already" : "already exists and is not an empty folder",
                   "Name another folder, or remove it.");
}

void save_imported(const TranslationModel& model, const fs::path& folder, const std::string& format,
                   const fs::path& origin) {
  require_free_folder(folder);
  const UnfinishedFolder unfinished(folder);
  save_config_and_tokenizers(unfinished.path(), model.config, model.tokenizers);
  write_safetensors(unfinished.path() / weights_file, state_dict(*model.network));
  write_record(unfinished.path(),
               {.tfm = TFM_VERSION, .import = ImportRecord{origin.string(), format}});
  unfinished.put_in_place();
}

}  // namespace tfm
