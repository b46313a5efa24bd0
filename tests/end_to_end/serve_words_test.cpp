// Asks tfm serve for words, continuations and attention, and compares them with each other and with
// the commands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "http_client.h"
#include "running_service.h"
#include "small_translator.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;

struct ServeWords : TrainedSuite<ServeWords> {
  inline static const std::string command = train_small_translator;
};

const std::vector<std::string> german_lines{"Ich trinke Kaffee.",
                                            "Zwei Kaffee, bitte! Und dann ein Bier.", " ",
                                            "Wo ist der Bahnhof?", "Ein Bier mit \xF0\x9F\x91\x8D"};

json german_request(const json& texts) {
  return {{"q", texts}, {"source", "de"}, {"target", "en"}};
}

std::string joined(const json& words) {
  std::string text;
  for (const auto& word : words)
    text += (text.empty() ? "" : " ") + word["text"].get<std::string>();
  return text;
}

/// The first continuation after a prefix of the translation is the translation, whose beginning the
/// model found most probable.
TEST_F(ServeWords, AndContinuationsAreThoseOfTheTranslation) {
  Service service(place->folder.path(), "--beam-size 1");
  HttpClient client(service.port());
  auto request = german_request(german_lines);
  const auto plain = json::parse(client.post("/translate", request.dump()).body);
  request["words"] = true;
  const auto reply = json::parse(client.post("/translate", request.dump()).body);
  EXPECT_EQ(reply["translatedText"], plain["translatedText"]);
  for (std::size_t i = 0; i < german_lines.size(); ++i) {
    for (const auto& line : reply["words"][i])
      EXPECT_EQ(joined(line["translations"][0]), reply["translatedText"][i].get<std::string>());
  }
  const auto& words = reply["words"][0][0]["translations"][0];
  ASSERT_GE(words.size(), 2U);
  auto continued = german_request(german_lines[0]);
  continued["prefix"] = words[0]["text"];
  continued["count"] = 3;
  const auto found = json::parse(client.post("/continuations", continued.dump()).body);
  const auto& continuations = found["continuations"];
  ASSERT_EQ(continuations.size(), 3U);
  EXPECT_EQ(continuations[0]["text"], reply["translatedText"][0]);
  std::set<json> next;
  for (const auto& each : continuations) {
    EXPECT_EQ(each["words"][0]["text"], words[0]["text"]);
    next.insert(each["words"][1]["text"]);
  }
  EXPECT_EQ(next.size(), 3U);
}

TEST_F(ServeWords, AreRefusedWithTheReason) {
  Service service(place->folder.path());
  HttpClient client(service.port());
  std::string long_line;
  for (int i = 0; i < 80; ++i) long_line += "Bier ";
  const auto continued = client.post("/continuations", german_request(long_line).dump());
  EXPECT_EQ(continued.status, 400);
  EXPECT_THAT(continued.body, HasSubstr("translated in several segments"));
  auto request = german_request(long_line);
  request["translation"] = "beer";
  const auto attention = client.post("/attention", request.dump());
  EXPECT_EQ(attention.status, 400);
  EXPECT_THAT(attention.body, HasSubstr("too long"));
  EXPECT_EQ(service.read_log().find("failed"), std::string::npos) << "not a failure of the service";
}

TEST_F(ServeWords, AttentionHasALimit) {
  Service service(place->folder.path(), "--max-attention-weights 10");
  HttpClient client(service.port());
  auto request = german_request(german_lines[0]);
  request["translation"] = "beer";
  const auto reply = client.post("/attention", request.dump());
  EXPECT_EQ(reply.status, 400);
  EXPECT_THAT(reply.body, HasSubstr("too long to show attention"));
}

/// Returns the weights [layer][head][row][column] in thousandths, without the last zeros of rows.
json in_thousandths(json weights) {
  for (auto& layer : weights) {
    for (auto& head : layer) {
      for (auto& row : head) {
        for (auto& weight : row)
          weight = static_cast<std::int64_t>(std::llround(weight.get<double>() * 1000));
        while (!row.empty() && row.back() == 0) row.erase(row.size() - 1);
      }
    }
  }
  return weights;
}

TEST_F(ServeWords, AttentionIsThatOfTheTranslateCommand) {
  const auto outcome =
      place->tfm("translate -q -m runs/small --attention a.json '" + german_lines[0] + "'");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto expected = json::parse(place->folder.read("a.json"))["sentences"][0];
  Service service(place->folder.path());
  HttpClient client(service.port());
  auto request = german_request(german_lines[0]);
  request["translation"] = expected["target_text"];
  const auto reply = client.post("/attention", request.dump());
  ASSERT_EQ(reply.status, 200) << reply.body;
  const auto found = json::parse(reply.body)["attention"]["sentences"][0];
  for (const char* name : {"source_text", "target_text", "source", "target_input", "target_output"})
    EXPECT_EQ(found[name], expected[name]) << name;
  for (const char* kind : {"encoder", "decoder", "cross"})
    EXPECT_EQ(found[kind], in_thousandths(expected[kind])) << kind;
}

}  // namespace
}  // namespace tfm
