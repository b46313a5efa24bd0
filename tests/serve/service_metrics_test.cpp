#include "tfm/serve/service_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::HasSubstr;

TEST(ServiceMetrics, CountsRequestsByRouteAndStatus) {
  ServiceMetrics metrics;
  auto first = metrics.begin_request("/translate");
  const auto second = metrics.begin_request("/translate");
  first->finish(200);
  first->finish(500);
  first.reset();
  metrics.begin_request("/detect").reset();
  const auto text = metrics.text(7);
  EXPECT_THAT(text, HasSubstr(R"(tfm_requests_total{route="/translate",status="200"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(tfm_requests_total{route="/detect",status="cancelled"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(tfm_request_seconds_count{route="/translate"} 1)"));
  EXPECT_THAT(text, HasSubstr("tfm_requests_in_flight 1\n"));
  EXPECT_THAT(text, HasSubstr("tfm_waiting_lines 7\n"));
}

TEST(ServiceMetrics, AreOutlivedByARequest) {
  auto metrics = std::make_unique<ServiceMetrics>();
  const auto request = metrics->begin_request("/translate");
  metrics.reset();
  request->finish(200);
}

TEST(ServiceMetrics, DescribesLinesAndBatches) {
  ServiceMetrics metrics;
  metrics.add_line({.waited = 0.02, .seconds = 0.2});
  metrics.add_line({.waited = 0.0001, .seconds = 2});
  metrics.add_joined_batch(3);
  metrics.add_joined_batch(60);
  const auto text = metrics.text(0);
  EXPECT_THAT(text, HasSubstr("tfm_lines_total 2\n"));
  EXPECT_THAT(text, HasSubstr(R"(tfm_batch_sentences_bucket{le="4"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(tfm_line_seconds_bucket{le="0.25"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(tfm_wait_seconds_bucket{le="0.001"} 1)"));
}

TEST(ServiceMetrics, CountsRememberedLines) {
  ServiceMetrics metrics;
  metrics.add_cached_line();
  metrics.add_cached_line();
  EXPECT_THAT(metrics.text(0), HasSubstr("tfm_cached_lines_total 2\n"));
}

TEST(ServiceMetrics, CountsTokens) {
  ServiceMetrics metrics;
  metrics.add_tokens({.source = 2, .target = 3});
  metrics.add_tokens({.source = 5, .target = 7});
  EXPECT_THAT(metrics.text(0), HasSubstr("tfm_source_tokens_total 7\n"));
  EXPECT_THAT(metrics.text(0), HasSubstr("tfm_target_tokens_total 10\n"));
}

TEST(ServiceMetrics, CountsCharacters) {
  ServiceMetrics metrics;
  metrics.add_characters(5);
  metrics.add_characters(6);
  EXPECT_EQ(metrics.characters(), 11);
  EXPECT_THAT(metrics.text(0), HasSubstr("tfm_characters_total 11\n"));
}

}  // namespace
}  // namespace tfm
