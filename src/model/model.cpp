#include "tfm/model/model.h"

#include "tfm/model/model_folder.h"

namespace tfm {

Model Model::load(const std::filesystem::path& folder, std::string_view device) {
  return Model(load_model(folder, select_device(device)));
}

Model::Model(TranslationModel&& model)
    : model_(std::make_unique<TranslationModel>(std::move(model))) {}
Model::Model(Model&& other) noexcept = default;
Model& Model::operator=(Model&& other) noexcept = default;
Model::~Model() = default;

const std::filesystem::path& Model::folder() const { return model_->folder; }
const Config& Model::config() const { return model_->config; }
Config& Model::config() { return model_->config; }
const TokenizerPair& Model::tokenizers() const { return model_->tokenizers; }
std::string Model::device() const { return model_->device.str(); }

std::vector<TranslationModel*> pointers(std::vector<Model>& models) {
  std::vector<TranslationModel*> result;
  for (TranslationModel& model : models) result.push_back(&model);
  return result;
}

}  // namespace tfm
