#include "tfm/interop/huggingface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "file_size_limit.h"
#include "huggingface_folder.h"
#include "pickle_parts.h"
#include "tfm/core/error.h"
#include "tfm/interop/imported_model.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class ImportHuggingFace : public HuggingFaceFolder {};

TEST_F(ImportHuggingFace, LogitsEqualThoseOfTransformers) {
  auto model = import();
  expect_close(logits_of(model, file.tensors), file.tensors.at("logits"));
}

TEST_F(ImportHuggingFace, AddedStartTokenHasProbabilityZero) {
  auto model = import();
  const auto golden = file.tensors;
  const torch::InferenceMode inference;
  const auto bos = model.tokenizers.target->special().bos;
  const auto all = model.network->forward(golden.at("source"), golden.at("target"));
  EXPECT_EQ(bos, 24);
  EXPECT_EQ(all.softmax(-1).select(-1, bos).max().item<float>(), 0);
}

TEST_F(ImportHuggingFace, SavedModelTranslatesLikeTheImportedModel) {
  auto model = import();
  save_imported(model, folder.path("out"), "huggingface", folder.path());
  auto loaded = load_model(folder.path("out"), torch::kCPU);
  EXPECT_EQ(loaded.config, model.config);
  EXPECT_EQ(loaded.config.decoding.beam_size, 3);
  EXPECT_EQ(loaded.config.decoding.max_length, 38) << "without the start token and EOS";
  expect_close(logits_of(loaded, file.tensors), file.tensors.at("logits"));
  const std::vector<std::string> lines{sample_text(1).front()};
  EXPECT_EQ(Translator(loaded, loaded.config.decoding).translate(lines).front().text(),
            Translator(model, model.config.decoding).translate(lines).front().text());
  EXPECT_THAT(
      message_of<ModelError>([&] { save_imported(model, folder.path("out"), "huggingface", ""); }),
      HasSubstr("holds a model already"));
}

TEST_F(ImportHuggingFace, SavesNothingWhenAFileCannotBeWrittenCompletely) {
  const auto model = import();
  const TemporaryFolder place;
  const auto save = [&] { save_imported(model, place.path("out"), "huggingface", folder.path()); };
  constexpr rlim_t more_than_the_config = 10000;
  {
    const FileSizeLimit limit(more_than_the_config);
    EXPECT_THAT(message_of<ModelError>(save), HasSubstr("could not be written completely"));
  }
  EXPECT_TRUE(fs::is_empty(place.path()));
  save();
  EXPECT_EQ(std::distance(fs::directory_iterator(place.path()), {}), 1);
  EXPECT_NO_THROW(load_model(place.path("out"), torch::kCPU));
}

TEST_F(ImportHuggingFace, SavesOnlyIntoANewOrEmptyFolder) {
  const auto model = import();
  fs::create_directory(folder.path("empty"));
  save_imported(model, folder.path("empty/"), "huggingface", folder.path());
  EXPECT_TRUE(fs::exists(folder.path("empty/model.safetensors")));
  fs::create_directory(folder.path("notes"));
  folder.write("notes/a.txt", "mine");
  EXPECT_THAT(message_of<ModelError>(
                  [&] { save_imported(model, folder.path("notes"), "huggingface", ""); }),
              HasSubstr("not an empty folder"));
  EXPECT_THAT(message_of<ModelError>(
                  [&] { save_imported(model, folder.path("notes/a.txt"), "huggingface", ""); }),
              HasSubstr("not an empty folder"));
  EXPECT_EQ(folder.read("notes/a.txt"), "mine");
}

TEST_F(ImportHuggingFace, SegmentsTextWithSentencePieceAndTakesIdsFromTheVocabulary) {
  const auto model = import();
  const SentencePieceTokenizer divider(source_spm);
  const auto text = sample_text(1).front();
  std::vector<std::string> expected;
  for (const TokenId id : divider.encode(text)) {
    const auto piece = divider.piece(id);
    expected.push_back(std::find(tokens.begin(), tokens.end(), piece) != tokens.end() ? piece
                                                                                      : "<unk>");
  }
  std::vector<std::string> found;
  for (const TokenId id : model.tokenizers.source->encode(text))
    found.push_back(tokens.at(static_cast<std::size_t>(id)));
  EXPECT_EQ(found, expected);
}

TEST_F(ImportHuggingFace, AcceptsSeparateVocabularies) {
  config["share_encoder_decoder_embeddings"] = false;
  config["decoder_vocab_size"] = 24;
  json target = json::object();
  for (std::size_t id = 0; id < 24; ++id)
    target[id == 0    ? "</s>"
           : id == 1  ? "<unk>"
           : id == 23 ? "<pad>"
                      : std::string("t") + std::to_string(id)] = id;
  folder.write("target_vocab.json", target.dump());
  weights["model.encoder.embed_tokens.weight"] = weights.at("model.shared.weight").clone();
  weights["model.decoder.embed_tokens.weight"] = weights.at("model.shared.weight").clone();
  weights.erase("model.shared.weight");
  auto model = import();
  EXPECT_EQ(model.config.model.tied_embeddings, TiedEmbeddings::decoder);
  EXPECT_EQ(model.tokenizers.target->piece(5), "t5");
  EXPECT_EQ(model.tokenizers.source->piece(5), tokens[5]);
  expect_close(logits_of(model, file.tensors), file.tensors.at("logits"));
}

TEST_F(ImportHuggingFace, AcceptsASeparateOutputProjection) {
  config["tie_word_embeddings"] = false;
  weights["lm_head.weight"] = weights.at("model.shared.weight").clone();
  auto model = import();
  EXPECT_EQ(model.config.model.tied_embeddings, TiedEmbeddings::none);
  expect_close(logits_of(model, file.tensors), file.tensors.at("logits"));
}

TEST_F(ImportHuggingFace, AcceptsOnlySinusoidalPositions) {
  const auto alternating = sinusoidal_table(64, 8).unflatten(1, {-1, 2});
  const auto halves = torch::cat({alternating.select(-1, 0), alternating.select(-1, 1)}, 1);
  for (const char* stack : {"encoder", "decoder"})
    weights[std::string("model.") + stack + ".embed_positions.weight"] = halves.clone();
  import();
  weights["model.encoder.embed_positions.weight"] = halves + 0.1;
  EXPECT_THAT(error_message(),
              HasSubstr("model.encoder.embed_positions.weight' does not contain sinusoids"));
}

TEST_F(ImportHuggingFace, ErrorNamesAllUnsupportedFields) {
  config["model_type"] = "bart";
  config["normalize_before"] = true;
  config["activation_function"] = "gelu_new";
  config["decoder_ffn_dim"] = 16;
  config["pad_token_id"] = 99;
  const auto message = error_message();
  for (const char* part :
       {"config.json", "model_type: bart", "normalize_before: true",
        "activation_function: gelu_new", "decoder_ffn_dim", "pad_token_id: 99"}) {
    EXPECT_THAT(message, HasSubstr(part));
  }
}

TEST_F(ImportHuggingFace, ThrowsWhenModelSizesAreInvalid) {
  config["encoder_attention_heads"] = config["decoder_attention_heads"] = 3;
  EXPECT_THAT(error_message(), HasSubstr("model.heads"));
  config["encoder_attention_heads"] = config["decoder_attention_heads"] = 0;
  EXPECT_THAT(error_message(), HasSubstr("model.heads"));
  config["d_model"] = -8;
  EXPECT_THAT(error_message(), HasSubstr("model.hidden_size"));
  config["vocab_size"] = 1'000'000'000'000;
  EXPECT_THAT(error_message(), HasSubstr("vocab_size: 1000000000000"));
  config["d_model"] = "wide";
  EXPECT_THAT(error_message(), HasSubstr("an unexpected type"));
}

TEST_F(ImportHuggingFace, ErrorNamesTheFileWhenAFieldHasTheWrongType) {
  import();
  folder.write("generation_config.json", R"({"num_beams": "wide"})");
  EXPECT_THAT(message_of<ModelError>([&] { import_huggingface(folder.path()); }),
              HasSubstr("generation_config.json: has a field of an unexpected type: 'num_beams'"));
  fs::remove(folder.path("generation_config.json"));
  config["num_beams"] = "wide";
  folder.write("config.json", config.dump());
  EXPECT_THAT(message_of<ModelError>([&] { import_huggingface(folder.path()); }),
              HasSubstr("/config.json: has a field of an unexpected type"));
}

TEST_F(ImportHuggingFace, ThrowsWhenATensorIsMissingMisshapenOrUnknown) {
  weights["model.encoder.layer_norm.weight"] = torch::ones({8});
  EXPECT_THAT(error_message(), HasSubstr("no place for:\n  model.encoder.layer_norm.weight"));
  weights.erase("model.encoder.layer_norm.weight");
  weights["model.encoder.layers.1.fc1.weight"] = torch::ones({12, 9});
  EXPECT_THAT(error_message(), HasSubstr("'model.encoder.layers.1.fc1.weight' is [12, 9]"));
  weights.erase("model.encoder.layers.1.fc1.weight");
  EXPECT_THAT(error_message(), HasSubstr("holds no tensor 'model.encoder.layers.1.fc1.weight'"));
}

TEST_F(ImportHuggingFace, ErrorNamesTheMissingFile) {
  import();
  for (const char* name : {"source.spm", "vocab.json", "config.json"}) {
    const auto content = folder.read(name);
    fs::remove(folder.path(name));
    EXPECT_THAT(message_of<ModelError>([&] { import_huggingface(folder.path()); }),
                HasSubstr(std::string("holds no ") + name));
    folder.write(name, content);
  }
  fs::remove(folder.path("model.safetensors"));
  EXPECT_THAT(message_of<ModelError>([&] { import_huggingface(folder.path()); }),
              HasSubstr("holds neither model.safetensors nor pytorch_model.bin"));
  folder.write("pytorch_model.bin", "");
  EXPECT_THAT(message_of<ModelError>([&] { import_huggingface(folder.path()); }),
              HasSubstr("pytorch_model.bin: can't be read"));
}

/// Returns pytorch_model.bin with these weights, in the container of `make_file`.
std::string pickled_weights(const StateDict& weights, decltype(&pytorch_zip) make_file) {
  std::vector<std::pair<std::string, std::string>> entries;
  StorageParts storages;
  for (const auto& [name, tensor] : weights) {
    const auto* values = tensor.const_data_ptr<float>();
    entries.emplace_back(name, pickled_tensor({.key = name,
                                               .storage_size = tensor.numel(),
                                               .sizes = tensor.sizes().vec(),
                                               .strides = tensor.strides().vec()}));
    storages.emplace_back(name, std::vector<float>(values, values + tensor.numel()));
  }
  return make_file(pickled_dictionary(entries), storages);
}

TEST_F(ImportHuggingFace, NamesAPointerOfGitLfs) {
  import();
  for (const char* name : {"model.safetensors", "pytorch_model.bin"}) {
    fs::remove(folder.path("model.safetensors"));
    folder.write(name, "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 7\n");
    EXPECT_THAT(message_of<ModelError>([&] { import_huggingface(folder.path()); }),
                testing::AllOf(HasSubstr(name), HasSubstr("git lfs pull")));
  }
}

TEST_F(ImportHuggingFace, ReadsPyTorchModelLikeSafetensors) {
  const auto expected = import();
  fs::remove(folder.path("model.safetensors"));
  for (const auto& make_file : {pytorch_zip, pytorch_legacy}) {
    folder.write("pytorch_model.bin", pickled_weights(weights, make_file));
    const auto model = unwrap(import_huggingface(folder.path()));
    const auto found = model.network->named_parameters();
    for (const auto& parameter : expected.network->named_parameters())
      EXPECT_TRUE(found[parameter.key()].equal(parameter.value())) << parameter.key();
  }
}

TEST_F(ImportHuggingFace, ReadsWeightsInSeveralFiles) {
  import();
  fs::remove(folder.path("model.safetensors"));
  for (const std::string name : {"pytorch_model.bin", "model.safetensors"}) {
    StateDict parts[2];
    json map = json::object();
    for (const auto& [tensor, value] : weights) {
      const std::size_t part = map.size() % 2;
      parts[part][tensor] = value;
      map[tensor] = std::to_string(part) + name;
    }
    for (const int part : {0, 1}) {
      const auto file = std::to_string(part) + name;
      if (name == "pytorch_model.bin") {
        folder.write(file, pickled_weights(parts[part], pytorch_zip));
      } else {
        write_safetensors(folder.path(file), parts[part]);
      }
    }
    folder.write(name + ".index.json", json{{"weight_map", map}}.dump());
    auto model = unwrap(import_huggingface(folder.path()));
    expect_close(logits_of(model, file.tensors), file.tensors.at("logits"));
  }
}

TEST_F(ImportHuggingFace, ThrowsWhenAnIndexOfWeightsIsInvalid) {
  import();
  const auto error = [&](const std::string& index) {
    folder.write("model.safetensors.index.json", index);
    return message_of<ModelError>([&] { import_huggingface(folder.path()); });
  };
  fs::rename(folder.path("model.safetensors"), folder.path("a.safetensors"));
  fs::copy_file(folder.path("a.safetensors"), folder.path("b.safetensors"));
  EXPECT_THAT(error("{"), HasSubstr("index.json: is not an index of weights"));
  EXPECT_THAT(error(R"({"weight_map": {"a": 1}})"), HasSubstr("is not an index of weights"));
  EXPECT_THAT(error(R"({"weight_map": {"a": "../a.safetensors"}})"),
              HasSubstr("names a file in another folder: ../a.safetensors"));
  EXPECT_THAT(error(R"({"weight_map": {"a": "a.safetensors", "b": "b.safetensors"}})"),
              HasSubstr("which another file holds too"));
}

TEST_F(ImportHuggingFace, ThrowsWhenTheVocabularyIsLargerThanTheModel) {
  tokens.push_back("more");
  EXPECT_THAT(error_message(), HasSubstr("vocab.json: has ids up to 24"));
}

}  // namespace
}  // namespace tfm
