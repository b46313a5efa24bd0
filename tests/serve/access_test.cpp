#include "tfm/serve/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/serve/http_message.h"

namespace tfm {
namespace {

using testing::HasSubstr;

TEST(ReadKeys, ReadsKeysWithTheirLimits) {
  const TemporaryFolder folder;
  folder.write("keys", "# for the office\n\nalpha\n  beta 60\r\ngamma 0\n");
  const auto keys = read_keys(folder.path("keys"));
  ASSERT_EQ(keys.size(), 3U);
  EXPECT_EQ(keys[0].text, "alpha");
  EXPECT_EQ(keys[0].requests_per_minute, std::nullopt);
  EXPECT_EQ(keys[1].text, "beta");
  EXPECT_EQ(keys[1].requests_per_minute, 60);
  EXPECT_EQ(keys[2].requests_per_minute, 0);
}

TEST(ReadKeys, NamesTheLineThatIsWrong) {
  const TemporaryFolder folder;
  const auto problem = [&](const std::string& text) {
    folder.write("keys", text);
    try {
      read_keys(folder.path("keys"));
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(problem("alpha\nbeta many\n"), HasSubstr("keys:2: the line is not a key"));
  EXPECT_THAT(problem("beta -1\n"), HasSubstr("keys:1: "));
  EXPECT_THAT(problem("beta 1 2\n"), HasSubstr("keys:1: "));
  EXPECT_THAT(problem("# nothing\n"), HasSubstr("the file has no key"));
  EXPECT_THROW(read_keys(folder.path("none")), ConfigError);
}

TEST(RateLimiter, AllowsAMinutesRequestsAtOnceAndThenOneAtATime) {
  RateLimiter limiter;
  for (int i = 0; i < 60; ++i) EXPECT_EQ(limiter.take("a", 60, 100), 0);
  EXPECT_DOUBLE_EQ(limiter.take("a", 60, 100), 1);
  EXPECT_DOUBLE_EQ(limiter.take("a", 60, 100.75), 0.25);
  EXPECT_EQ(limiter.take("b", 60, 100.75), 0) << "clients do not share a limit";
  EXPECT_EQ(limiter.take("a", 60, 101), 0);
  EXPECT_GT(limiter.take("a", 60, 101), 0);
  for (int i = 0; i < 60; ++i) EXPECT_EQ(limiter.take("a", 60, 10'000), 0);
  EXPECT_GT(limiter.take("a", 60, 10'000), 0) << "no more than a minute's requests are saved up";
}

TEST(RateLimiter, CountsNothingWithoutALimit) {
  RateLimiter limiter;
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(limiter.take("a", 0, 0), 0);
  EXPECT_EQ(limiter.clients(), 0U);
}

TEST(RateLimiter, ForgetsTheClientThatWasSilentLongest) {
  RateLimiter limiter(2);
  EXPECT_EQ(limiter.take("a", 1, 0), 0);
  EXPECT_EQ(limiter.take("b", 1, 1), 0);
  EXPECT_GT(limiter.take("a", 1, 2), 0);
  EXPECT_EQ(limiter.take("c", 1, 3), 0);
  EXPECT_EQ(limiter.clients(), 2U);
  EXPECT_GT(limiter.take("a", 1, 3), 0) << "a was heard of after b";
  EXPECT_EQ(limiter.take("b", 1, 3), 0);
}

int status_of(AccessControl& access, const std::string& key, const std::string& address = "::1") {
  try {
    access.admit(key, address, 0);
    return 200;
  } catch (const HttpError& error) {
    if (error.status() == 429) {
      EXPECT_GT(error.retry_seconds(), 0);
      EXPECT_THAT(error.what(), testing::StartsWith("Slowdown: "));
    }
    return error.status();
  }
}

TEST(AccessControl, AdmitsEachClientIfNothingIsSet) {
  AccessControl access({});
  EXPECT_FALSE(access.needs_key());
  EXPECT_EQ(status_of(access, ""), 200);
  EXPECT_EQ(status_of(access, "any"), 200);
}

TEST(AccessControl, AsksForAValidKey) {
  AccessControl access({.keys = {{"alpha", {}}, {"beta", {}}}});
  EXPECT_TRUE(access.needs_key());
  EXPECT_EQ(status_of(access, ""), 400);
  for (const char* wrong : {"alph", "alphaa", "Alpha", "alpha alpha", "x", "alphaalpha"})
    EXPECT_EQ(status_of(access, wrong), 403) << wrong;
  EXPECT_EQ(status_of(access, "alpha"), 200);
  EXPECT_EQ(status_of(access, "beta"), 200);
}

TEST(AccessControl, LimitsAKeyWhateverItsAddress) {
  AccessControl access(
      {.keys = {{"alpha", 1}, {"beta", {}}, {"gamma", 0}}, .requests_per_minute = 2});
  EXPECT_EQ(status_of(access, "alpha", "1.1.1.1"), 200);
  EXPECT_EQ(status_of(access, "alpha", "2.2.2.2"), 429);
  EXPECT_EQ(status_of(access, "beta"), 200);
  EXPECT_EQ(status_of(access, "beta"), 200);
  EXPECT_EQ(status_of(access, "beta"), 429);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(status_of(access, "gamma"), 200);
}

TEST(AccessControl, LimitsAnAddressIfThereAreNoKeys) {
  AccessControl access({.keys = {}, .requests_per_minute = 1});
  EXPECT_EQ(status_of(access, "", "1.1.1.1"), 200);
  EXPECT_EQ(status_of(access, "other", "1.1.1.1"), 429);
  EXPECT_EQ(status_of(access, "", "2.2.2.2"), 200);
}

TEST(AccessControl, BelievesOnlyTheAddressThatATrustedProxyAdded) {
  const AccessControl direct({});
  EXPECT_EQ(direct.client_address("9.9.9.9", "1.1.1.1"), "9.9.9.9");
  const AccessControl behind_proxy({.keys = {}, .trust_forwarded_for = true});
  EXPECT_EQ(behind_proxy.client_address("9.9.9.9", ""), "9.9.9.9");
  EXPECT_EQ(behind_proxy.client_address("9.9.9.9", "1.1.1.1"), "1.1.1.1");
  EXPECT_EQ(behind_proxy.client_address("9.9.9.9", "a client may write this, 2.2.2.2"), "2.2.2.2");
  EXPECT_EQ(behind_proxy.client_address("9.9.9.9", "2.2.2.2:5001"), "2.2.2.2");
  EXPECT_EQ(behind_proxy.client_address("9.9.9.9", "[2001:db8::1]:5001"), "2001:db8::1");
  EXPECT_EQ(behind_proxy.client_address("9.9.9.9", "2001:db8::1"), "2001:db8::1");
}

TEST(AccessControl, NeedsTheKeysThatReplacedOthers) {
  AccessControl access({.keys = {{"former", {}}}});
  access.replace_keys({{"later", {}}});
  EXPECT_NO_THROW(access.admit("later", "1.1.1.1", 0));
  EXPECT_THROW(access.admit("former", "1.1.1.1", 0), HttpError);
  access.replace_keys({});
  EXPECT_FALSE(access.needs_key());
  EXPECT_NO_THROW(access.admit("", "1.1.1.1", 0));
}

}  // namespace
}  // namespace tfm
