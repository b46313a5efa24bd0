// A trained model for code that does not see LibTorch: config, tokenizers and weights, ready to
// translate (translate/translator.h) or to score (translate/scorer.h). It owns a TranslationModel
// (model_folder.h), LibTorch's side of it, and is passed to every function that takes one:
//
//   Model model = Model::load("runs/multi30k_de_en");
//   Translator translator(model, model.config().decoding);
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

struct TranslationModel;

class Model {
 public:
  /// device: as resolve_device (tensor/runtime.h) takes it. Throws ModelError (ConfigError for its
  /// config.yaml or the device) with the file that is missing or does not fit.
  static Model load(const std::filesystem::path& folder, std::string_view device = "auto");

  explicit Model(TranslationModel&& model);
  Model(Model&& other) noexcept;
  Model& operator=(Model&& other) noexcept;
  ~Model();

  /// The folder that the model was loaded from; empty if it was not.
  const std::filesystem::path& folder() const;
  const Config& config() const;
  /// To change options of decoding before a Translator or Scorer is made with them.
  Config& config();
  const TokenizerPair& tokenizers() const;
  /// "cpu" or "cuda:N"
  std::string device() const;

  /// Implicit, because both are the same model, seen with LibTorch and without.
  operator TranslationModel&() { return *model_; }
  operator const TranslationModel&() const { return *model_; }

 private:
  std::unique_ptr<TranslationModel> model_;
};

/// The models as a Translator or Scorer of several takes them. They must outlive the result.
std::vector<TranslationModel*> pointers(std::vector<Model>& models);

}  // namespace tfm
