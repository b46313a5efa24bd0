// A folder of Hugging Face Transformers, for tests that change a part of it and import it.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "imported.h"
#include "tfm/core/error.h"
#include "tfm/interop/huggingface.h"

namespace tfm {

/// Provides a folder with the golden model in the form that Transformers' save_pretrained writes.
class HuggingFaceFolder : public testing::Test {
 protected:
  HuggingFaceFolder()
      : file(read_safetensors(interop_golden("huggingface.safetensors"))),
        config(nlohmann::json::parse(file.metadata.at("config"))) {
    const std::string prefix = "weights/";
    for (const auto& [name, tensor] : file.tensors) {
      if (name.starts_with(prefix)) weights[name.substr(prefix.size())] = tensor;
    }
    source_spm = small_sentencepiece(1);
    tokens = list_of_pieces(source_spm, 23);
    tokens.push_back("<pad>");
    folder.write("source.spm", source_spm);
    folder.write("target.spm", small_sentencepiece(2));
  }

  TranslationModel import() {
    nlohmann::json vocabulary = nlohmann::json::object();
    for (std::size_t id = 0; id < tokens.size(); ++id) vocabulary[tokens[id]] = id;
    folder.write("vocab.json", vocabulary.dump());
    folder.write("config.json", config.dump());
    folder.write("generation_config.json", R"({"num_beams": 3, "max_length": 40})");
    write_safetensors(folder.path("model.safetensors"), weights);
    return unwrap(import_huggingface(folder.path()));
  }
  std::string error_message() {
    return message_of<ModelError>([&] { import(); });
  }

  SafetensorsFile file;
  nlohmann::json config;
  StateDict weights;
  std::string source_spm;
  std::vector<std::string> tokens;
  TemporaryFolder folder;
};

}  // namespace tfm
