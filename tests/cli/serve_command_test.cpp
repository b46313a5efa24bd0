#include "cli/serve_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsed.h"

namespace tfm {
namespace {

using testing::ElementsAre;

TEST(ServeCommand, HasSafeDefaults) {
  const auto options = parsed(serve_command, {"serve"});
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->models.empty());
  EXPECT_EQ(options->address.host, "127.0.0.1");
  EXPECT_EQ(options->address.port, 5000);
  EXPECT_EQ(options->limits.body_bytes, ServeLimits().body_bytes);
}

TEST(ServeCommand, ParsesModelsAddressLimitsAndDecoding) {
  const auto options = parsed(serve_command, {"serve",   "-m",
                                              "runs/a",  "-m",
                                              "runs/b",  "--host",
                                              "0.0.0.0", "--port",
                                              "0",       "--max-body",
                                              "1",       "--max-texts",
                                              "2",       "--max-characters",
                                              "3",       "--max-waiting",
                                              "4",       "--max-connections",
                                              "5",       "--request-seconds",
                                              "0.5",     "--client-seconds",
                                              "7",       "--drain-seconds",
                                              "0",       "--beam-size",
                                              "2",       "--threads",
                                              "3"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->models, ElementsAre("runs/a", "runs/b"));
  EXPECT_EQ(options->address.host, "0.0.0.0");
  EXPECT_EQ(options->address.port, 0);
  EXPECT_EQ(options->limits.body_bytes, 1);
  EXPECT_EQ(options->limits.texts, 2);
  EXPECT_EQ(options->limits.characters, 3);
  EXPECT_EQ(options->limits.waiting_lines, 4);
  EXPECT_EQ(options->limits.connections, 5);
  EXPECT_EQ(options->limits.request_seconds, 0.5);
  EXPECT_EQ(options->limits.client_seconds, 7);
  EXPECT_EQ(options->limits.drain_seconds, 0);
  EXPECT_THAT(options->decoding, ElementsAre("decoding.beam_size=2"));
  EXPECT_EQ(options->runtime.threads, 3);
}

TEST(ServeCommand, ParsesFilesAndTheFormatOfTheLog) {
  const auto options =
      parsed(serve_command,
             {"serve", "--tls-cert", "a.pem", "--tls-key", "a.key", "--suggestions", "kept",
              "--suggestion-bytes", "8", "--max-attention-weights", "9", "--log-format", "json"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->tls.certificate, "a.pem");
  EXPECT_EQ(options->tls.key, "a.key");
  EXPECT_EQ(options->suggestions, "kept");
  EXPECT_EQ(options->limits.suggestion_bytes, 8);
  EXPECT_EQ(options->limits.attention_weights, 9);
  EXPECT_EQ(options->log_format, LogFormat::json);
}

TEST(ServeCommand, RefusesWrongValues) {
  EXPECT_FALSE(parsed(serve_command, {"serve", "--tls-cert", "a.pem"}));
  EXPECT_FALSE(parsed(serve_command, {"serve", "--tls-key", "a.key"}));
  EXPECT_FALSE(parsed(serve_command, {"serve", "--log-format", "xml"}));
  EXPECT_FALSE(parsed(serve_command, {"serve", "--port", "65536"}));
  EXPECT_FALSE(parsed(serve_command, {"serve", "--max-body", "0"}));
  EXPECT_FALSE(parsed(serve_command, {"serve", "--drain-seconds", "-1"}));
  EXPECT_FALSE(parsed(serve_command, {"serve", "text"}));
}

}  // namespace
}  // namespace tfm
