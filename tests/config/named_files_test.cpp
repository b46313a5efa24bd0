#include "tfm/config/named_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> keys_of(const std::vector<NamedFile>& files) {
  std::vector<std::string> keys;
  for (const NamedFile& file : files) keys.push_back(file.key);
  return keys;
}

class NamedFilesTest : public testing::Test {
 protected:
  std::string message(bool resumes = false) {
    return message_of<DataError>([&] { require_readable(list_named_files(config, resumes)); });
  }

  TemporaryFolder folder;
  Config config;
};

TEST_F(NamedFilesTest, AreThoseOfAllFieldsThatNameAFile) {
  config.tokenizer.normalization = "rules.tsv";
  config.tokenizer.source_vocab = config.tokenizer.target_vocab = "v.model";
  config.data.train_source = config.data.train_target = "train";
  config.data.train_tsv = "train.tsv";
  config.data.sets = {"a=a.de,a.en", "b=b.tsv"};
  config.data.weights = {"a=0.5", "b=b.weights"};
  config.data.alignments = {"a=a.align"};
  config.data.valid_source = config.data.valid_target = "valid";
  config.data.valid_tsv = "valid.tsv";
  config.data.valid_alignment = "valid.align";
  config.data.valid_sets = {"c=c.tsv"};
  config.decoding.unknown_dictionary = "names.tsv";
  EXPECT_THAT(
      keys_of(list_named_files(config)),
      ElementsAre("tokenizer.normalization", "tokenizer.source_vocab", "tokenizer.target_vocab",
                  "data.train_source", "data.train_target", "data.train_tsv", "data.sets",
                  "data.sets", "data.sets", "data.weights", "data.alignments", "data.valid_source",
                  "data.valid_target", "data.valid_tsv", "data.valid_alignment", "data.valid_sets",
                  "decoding.unknown_dictionary"));
}

TEST_F(NamedFilesTest, LackWhatARunAlreadyHas) {
  config.tokenizer.source_vocab = "v.model";
  config.data.train_tsv = "train.tsv";
  EXPECT_THAT(keys_of(list_named_files(config, /*resumes=*/true)), ElementsAre("data.train_tsv"));
  config.training.init_from = "runs/base";
  EXPECT_THAT(keys_of(list_named_files(config)),
              ElementsAre("data.train_tsv", "training.init_from"))
      << "the vocabulary is that of the model";
}

TEST_F(NamedFilesTest, ErrorNamesTheFieldOfEachFile) {
  config.data.train_tsv = folder.write("train.tsv", "a\tb\n");
  config.data.valid_tsv = folder.path();
  config.data.weights = {"train=" + folder.path("train.weight").string()};
  config.training.init_from = config.data.train_tsv;
  folder.write("train.weights", "1\n");
  EXPECT_EQ(message(),
            "data.weights: " + folder.path("train.weight").string() +
                " does not exist\ndata.valid_tsv: " + folder.path().string() +
                " is a folder, not a file\ntraining.init_from: " + config.data.train_tsv +
                " is not a folder\n  Did you mean " + folder.path("train.weights").string() + "?");
  config.data.weights.clear();
  EXPECT_THAT(message(), HasSubstr("Correct the path"));
  config.data.valid_tsv.clear();
  EXPECT_NO_THROW(require_readable(list_named_files(config, /*resumes=*/true)));
}

TEST_F(NamedFilesTest, APipeCanBeReadByOneProcess) {
  const auto pipe = folder.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  config.data.train_tsv = pipe;
  EXPECT_NO_THROW(require_readable(list_named_files(config)));
  EXPECT_NO_THROW(require_shareable(list_named_files(config), 1));
  EXPECT_EQ(message_of<DataError>([&] { require_shareable(list_named_files(config), 2); }),
            "data.train_tsv: " + pipe.string() +
                " can be read only once, but 2 processes read it\n"
                "  Write it to a file first, or train with one process.");
}

}  // namespace
}  // namespace tfm
