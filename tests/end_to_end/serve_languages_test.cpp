// Serves a small model of two directions, whose source sentences begin with tags.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <thread>

#include "http_client.h"
#include "program.h"
#include "running_service.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Lines = std::vector<std::string>;

struct ServeLanguages : TrainedSuite<ServeLanguages> {
  /// After more updates than small_translator.h makes, the tag makes a difference.
  inline static const std::string command =
      "train -q --config configs/demo.yaml model.hidden_size=32 model.heads=2 "
      "model.transformer_ff=64 model.encoder_layers=1 model.decoder_layers=1 "
      "tokenizer.vocab_size=700 'tokenizer.symbols=__de__;__en__' data.max_length=64 "
      "training.run_folder=runs/small "
      "training.batch_size=1024 training.valid_sentences=4 training.max_minutes=0 "
      "training.max_epochs=0 training.warmup_steps=40 training.max_steps=200 "
      "training.learning_rate=0.01 training.average_checkpoints=0 decoding.beam_size=2 "
      "decoding.max_length=12 data.cache=cache data.train_source= data.train_target= "
      "'data.sets=de-en=data/cafe/train.de,data/cafe/train.en;"
      "back=data/cafe/train.en,data/cafe/train.de' "
      "'data.tags=de-en=<2en>;back=<2de>;valid=<2en>'";

  static Lines translate(const Lines& lines, const std::string& target,
                         const std::string& model = "-m runs/small") {
    std::string text;
    for (const auto& line : lines) text += line + "\n";
    place->folder.write("lines", text);
    const auto outcome =
        place->tfm("translate -q --reproducible -i lines " + model + " --to " + target);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    Lines translations;
    std::istringstream stream(outcome.out);
    for (std::string line; std::getline(stream, line);) translations.push_back(line);
    return translations;
  }
};

TEST_F(ServeLanguages, TranslatesAllPairsAsTheTranslateCommandDoes) {
  const Lines german{"Ich trinke Kaffee.", "Wo ist der Bahnhof?", "Die Rechnung, bitte."};
  const Lines english{"I drink coffee.", "Where is the station?", "The bill, please."};
  const auto to_english = translate(german, "en");
  const auto to_german = translate(english, "de");
  EXPECT_NE(to_english, translate(german, "de"));
  const Service service(place->folder.path());
  const auto send_lines = [&](const Lines& lines, const std::string& source,
                              const std::string& target, const Lines& expected) {
    HttpClient client(service.port());
    for (int i = 0; i < 10; ++i) {
      for (std::size_t line = 0; line < lines.size(); ++line) {
        const json request = {{"q", lines[line]}, {"source", source}, {"target", target}};
        const auto reply = client.post("/translate", request.dump());
        EXPECT_EQ(json::parse(reply.body)["translatedText"], expected[line]) << reply.body;
      }
    }
  };
  std::jthread other([&] { send_lines(english, "en", "de", to_german); });
  send_lines(german, "de", "en", to_english);
  const auto languages = json::parse(HttpClient(service.port()).get("/languages").body);
  EXPECT_EQ(languages[0]["targets"], json({"en"}));
  EXPECT_EQ(languages[1]["targets"], json({"de"}));
}

TEST_F(ServeLanguages, ServesOnlyThePairsOfATag) {
  const Service service(place->folder.path(), "--to de");
  const auto languages = json::parse(HttpClient(service.port()).get("/languages").body);
  EXPECT_EQ(languages[0]["code"], "en");
  EXPECT_EQ(languages[0]["targets"], json({"de"}));
  EXPECT_EQ(languages[1]["targets"], json::array());
}

/// The tags of an imported model name both languages of a line. This model was trained with others,
/// so it shows only that each line gets its own tags.
TEST_F(ServeLanguages, ServesAllPairsOfAModelWithATagForEachLanguage) {
  std::filesystem::copy(place->folder.path("runs/small"), place->folder.path("tagged"));
  auto config = place->folder.read("tagged/config.yaml");
  for (const char* list : {"sets", "tags"}) {
    const std::regex field(std::string("\n  ") + list + ":[^\n]*(\n    [^\n]*)*");
    config = std::regex_replace(config, field, "");
  }
  config = std::regex_replace(config, std::regex("language_tags: none"), "language_tags: first");
  place->folder.write("tagged/config.yaml", config);
  const Lines lines{"Ich trinke Kaffee.", "I drink coffee.", "Wo ist der Bahnhof?"};
  const auto to_english = translate(lines, "en", "-m tagged --from de");
  const auto to_german = translate(lines, "de", "-m tagged --from en");
  EXPECT_NE(to_english, to_german);
  const Service service(place->folder.path(), "", "-m tagged");
  HttpClient client(service.port());
  const auto served = [&](const std::string& source, const std::string& target) {
    const json request = {{"q", lines}, {"source", source}, {"target", target}};
    return json::parse(client.post("/translate", request.dump()).body)["translatedText"];
  };
  EXPECT_EQ(served("de", "en"), json(to_english));
  EXPECT_EQ(served("en", "de"), json(to_german));
  const auto languages = json::parse(client.get("/languages").body);
  EXPECT_EQ(languages[0]["targets"], json({"en"}));
  EXPECT_EQ(languages[1]["targets"], json({"de"}));
}

TEST_F(ServeLanguages, SaysWhichFieldsNameTheLanguages) {
  std::filesystem::copy(place->folder.path("runs/small"), place->folder.path("unknown"));
  auto config = place->folder.read("unknown/config.yaml");
  config = std::regex_replace(config, std::regex("back=data/cafe/train.en,"), "back=data/cafe/x,");
  place->folder.write("unknown/config.yaml", config);
  const auto outcome = place->tfm("serve -m unknown --port 0");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("unknown/config.yaml: the languages of the set 'back' (data.sets)"));
}

}  // namespace
}  // namespace tfm
