// A trained model for code without LibTorch headers: config, tokenizers and weights, ready to
// translate (translate/translator.h) or score (translate/scorer.h). A Model owns a TranslationModel
// (model_folder.h), which is for code with LibTorch, and converts to it implicitly:
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
  /// Loads a model folder or a checkpoint of a run. `device` is a name that select_device
  /// (tensor/device.h) accepts. Throws ModelError if a file is missing, malformed or does not fit
  /// the config, or if the machine does not have the device. Throws ConfigError if config.yaml or
  /// the name of the device is invalid.
  static Model load(const std::filesystem::path& folder, std::string_view device = "auto");

  explicit Model(TranslationModel&& model);
  Model(Model&& other) noexcept;
  Model& operator=(Model&& other) noexcept;
  ~Model();

  /// Returns the folder that the model was loaded from; empty if it was not loaded.
  const std::filesystem::path& folder() const;
  const Config& config() const;
  /// Returns the config, so that decoding options can be changed before a Translator or Scorer is
  /// created.
  Config& config();
  const TokenizerPair& tokenizers() const;
  /// Returns the name of the model's device: "cpu" or "cuda:N".
  std::string device() const;

  /// Returns the model for code with LibTorch. The conversion is implicit, because both types
  /// represent the same model.
  operator TranslationModel&() { return *model_; }
  operator const TranslationModel&() const { return *model_; }

 private:
  std::unique_ptr<TranslationModel> model_;
};

/// Returns pointers to the models, for a Translator or Scorer with an ensemble. The models must
/// outlive the Translator or Scorer.
std::vector<TranslationModel*> pointers(std::vector<Model>& models);

}  // namespace tfm
