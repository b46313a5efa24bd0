#include "tfm/model/model_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace tfm {
namespace {

using testing::Pair;

class ModelRecordFile : public testing::Test {
 protected:
  std::string written(const ModelRecord& record) const {
    write_record(folder.path(), record);
    return folder.read("report.json");
  }
  std::optional<ModelRecord> read(const std::string& text) const {
    folder.write("report.json", text);
    return read_record(folder.path());
  }

  TemporaryFolder folder;
};

TEST_F(ModelRecordFile, StoresTheRecordOfATrainingRun) {
  ModelRecord record{.tfm = "1.0"};
  record.training = {.libtorch = "2",
                     .finished = "max_steps 9 reached",
                     .steps = 9,
                     .epoch = 1,
                     .seconds = 1.5,
                     .best_step = 8,
                     .parameters = 7,
                     .seed = 6,
                     .device = "cpu",
                     .text = {.pairs = 5, .checksum = 0xab}};
  record.training->validation = {.text = {.pairs = 4, .checksum = 3},
                                 .scores = {.loss = 2, .bleu = 1, .chrf = 0.5},
                                 .sets = {{"news", {.loss = 3, .bleu = 2, .chrf = 1}}}};
  record.alignment = {.head = "1:0", .shifted = true, .dice = 0.5, .error_rate = 0.25};
  EXPECT_EQ(written(record), R"({
  "tfm": "1.0",
  "libtorch": "2",
  "finished": "max_steps 9 reached",
  "steps": 9,
  "epoch": 1,
  "seconds": 1.5,
  "best_step": 8,
  "parameters": 7,
  "seed": 6,
  "device": "cpu",
  "training_text": {
    "pairs": 5,
    "crc32": "000000ab"
  },
  "validation_text": {
    "pairs": 4,
    "crc32": "00000003"
  },
  "validation": {
    "loss": 2.0,
    "bleu": 1.0,
    "chrf": 0.5
  },
  "validation_sets": {
    "news": {
      "loss": 3.0,
      "bleu": 2.0,
      "chrf": 1.0
    }
  },
  "alignment": {
    "head": "1:0",
    "after_reading": true,
    "dice": 0.5,
    "error_rate": 0.25
  }
}
)");
  const auto again = read_record(folder.path()).value();
  EXPECT_EQ(again.training->finished, "max_steps 9 reached");
  EXPECT_EQ(again.training->steps, 9);
  EXPECT_EQ(again.alignment->head, "1:0");
  EXPECT_TRUE(again.alignment->shifted);
  EXPECT_EQ(again.alignment->error_rate, 0.25);
}

TEST_F(ModelRecordFile, StoresTheRecordsOfAnAveragedAndOfAnImportedModel) {
  ModelRecord mean{.tfm = "1.0", .average_of = {"a", "b"}};
  mean.alignment = {.head = "mean", .dice = 0.5};
  EXPECT_EQ(written(mean), R"({
  "tfm": "1.0",
  "average_of": [
    "a",
    "b"
  ],
  "alignment": {
    "after_reading": false,
    "dice": 0.5,
    "head": "mean"
  }
}
)") << "the keys of a copied alignment are sorted";
  EXPECT_EQ(written({.tfm = "1.0", .import = ImportRecord{"folder", "marian"}}), R"({
  "tfm": "1.0",
  "imported_from": "folder",
  "format": "marian"
}
)");
}

TEST_F(ModelRecordFile, ReadRecordDoesNotThrowIfTheFileIsIncompleteOrMalformed) {
  EXPECT_FALSE(read_record(folder.path()).has_value()) << "no file";
  EXPECT_FALSE(read("{\"tfm\"").has_value());
  EXPECT_FALSE(read("[1]").has_value());
  const std::string deep(100'000, '[');
  EXPECT_FALSE(read("{\"x\": " + deep + std::string(deep.size(), ']') + "}").has_value());
  EXPECT_FALSE(read("{}")->training.has_value());
  EXPECT_EQ(read(R"({"finished": "early"})")->training->steps, -1);
  EXPECT_FALSE(read(R"({"alignment": "none"})")->alignment.has_value());
  EXPECT_FALSE(read(R"({"alignment": {"head": 3}})")->alignment.has_value());
  EXPECT_EQ(read(R"({"alignment": {}})")->alignment->head, "mean");
}

TEST_F(ModelRecordFile, ListRecordExplainsTheAlignment) {
  const auto alignment = [&](const std::string& object) {
    folder.write("report.json", R"({"alignment": )" + object + "}");
    return list_record(folder.path()).value().at(0).second;
  };
  EXPECT_EQ(alignment(R"({"head": "1:0", "after_reading": true, "dice": 0.51234})"),
            "head 0 of decoder layer 1 (both counted from 0), at the step that reads each word; "
            "mean Dice "
            "coefficient of the linked words 0.5123");
  EXPECT_EQ(alignment(R"({"head": "mean", "after_reading": false, "error_rate": 0.25})"),
            "mean of all heads, at the step that predicts each word; alignment error rate 0.25");
  EXPECT_EQ(alignment(R"({"head": "0"})"),
            "mean of the heads of decoder layer 0 (counted from 0), at the step that predicts each "
            "word");
}

TEST_F(ModelRecordFile, ListRecordReturnsNamesAndRoundedValues) {
  folder.write("report.json", R"({"steps": 3, "device": "cpu", "text": {"pairs": 2, "crc": "a"}})");
  EXPECT_THAT(list_record(folder.path()).value(),
              testing::ElementsAre(Pair("steps", "3"), Pair("device", "cpu"),
                                   Pair("text", "pairs 2  crc a")));
  folder.write("report.json",
               R"({"seconds": 133.7328255079999, "all": 86400.51, "scores": {"loss": 2.34567}})");
  EXPECT_THAT(list_record(folder.path()).value(),
              testing::ElementsAre(Pair("seconds", "133.7"), Pair("all", "86401"),
                                   Pair("scores", "loss 2.346")));
  folder.write("report.json", "{");
  EXPECT_FALSE(list_record(folder.path()).has_value());
}

}  // namespace
}  // namespace tfm
