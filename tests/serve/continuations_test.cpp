#include "serve/continuations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tfm {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

const json good = {{"q", "Das Haus"}, {"source", "de"}, {"target", "en"}};

json with(const char* name, json value) {
  auto fields = good;
  fields[name] = std::move(value);
  return fields;
}

TEST(ReadContinuationsRequest, ReadsAllParameters) {
  auto fields = with("prefix", "The big");
  fields["count"] = "3";
  const auto request = read_continuations_request(fields, {});
  EXPECT_THAT(request.texts, ElementsAre("Das Haus"));
  EXPECT_EQ(request.details, (LineDetails{.words = true, .next_words = 3, .prefix = "The big"}));
  EXPECT_EQ(read_continuations_request(good, {}).details,
            (LineDetails{.words = true, .next_words = 5}));
}

TEST(ReadContinuationsRequest, RefusesWrongParameters) {
  for (const auto& [fields, message] : std::vector<std::pair<json, std::string>>{
           {with("q", nullptr), "missing q parameter"},
           {with("q", {"a"}), "q is not a text"},
           {with("q", "a\nb"), "q has several lines"},
           {with("prefix", "a\rb"), "prefix has several lines"},
           {with("prefix", 1), "prefix is not a text"},
           {with("count", 0), "count is not a whole number from 1 to 20"},
           {with("count", 21), "count is not a whole number"}}) {
    try {
      read_continuations_request(fields, {});
      ADD_FAILURE() << fields;
    } catch (const HttpError& error) {
      EXPECT_EQ(error.status(), 400);
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }
  ServeLimits limits;
  limits.characters = 10;
  EXPECT_NO_THROW(read_continuations_request(with("prefix", "ab"), limits));
  EXPECT_THROW(read_continuations_request(with("prefix", "abc"), limits), HttpError);
}

TEST(ReadContinuationsRequest, CountsThePrefixAsCharactersAndNotAsAText) {
  ServeLimits limits;
  limits.texts = 1;
  EXPECT_NO_THROW(read_continuations_request(with("prefix", "The"), limits));
}

TEST(ContinuationsReply, HasEachTranslationWithItsWords) {
  TextTranslation translation{{"The home"}, std::nullopt, ""};
  translation.lines.push_back(
      {"Das Haus",
       {.candidates = {"The home", "The"},
        .words = {{{"The", 0.75, 0}, {"home", 0.123456, 1}}, {{"The", 0.75, -1}}}}});
  EXPECT_EQ(json::parse(continuations_reply({}, {translation}).body), json::parse(R"(
      {"continuations": [
        {"text": "The home", "words": [{"text": "The", "probability": 0.75, "source": 0},
                                       {"text": "home", "probability": 0.1235, "source": 1}]},
        {"text": "The", "words": [{"text": "The", "probability": 0.75, "source": null}]}]})"));
  const TextTranslation same{{"a"}, std::nullopt, ""};
  EXPECT_EQ(json::parse(continuations_reply({}, {same}).body),
            json({{"continuations", json::array()}}))
      << "the text already is in the target language";
}

}  // namespace
}  // namespace tfm
