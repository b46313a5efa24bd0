#include "tfm/serve/reloader.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>

namespace tfm {
namespace {

TEST(Reloader, RunsOnceMoreForRequestsThatArriveDuringAReload) {
  std::promise<void> may_end;
  std::promise<void> has_begun;
  std::promise<void> second;
  int runs = 0;
  {
    Reloader reloader([&] {
      if (++runs == 1) {
        has_begun.set_value();
        may_end.get_future().wait();
      } else {
        second.set_value();
      }
    });
    reloader.request();
    has_begun.get_future().wait();
    for (int i = 0; i < 5; ++i) reloader.request();
    may_end.set_value();
    second.get_future().wait();
  }
  EXPECT_EQ(runs, 2);
}

TEST(Reloader, GoesOnAfterAReloadThatFails) {
  std::promise<void> failed;
  std::promise<void> succeeded;
  int runs = 0;
  Reloader reloader([&] {
    if (++runs > 1) return succeeded.set_value();
    failed.set_value();
    throw std::runtime_error("the file is damaged");
  });
  reloader.request();
  failed.get_future().wait();
  reloader.request();
  succeeded.get_future().wait();
}

TEST(Reloader, RunsNothingWithoutARequest) {
  int runs = 0;
  {
    const Reloader reloader([&] { ++runs; });
  }
  EXPECT_EQ(runs, 0);
}

}  // namespace
}  // namespace tfm
