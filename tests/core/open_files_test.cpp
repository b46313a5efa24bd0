#include "tfm/core/open_files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

namespace tfm {
namespace {

class OpenFiles : public testing::Test {
 protected:
  OpenFiles() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit low = before_;
    low.rlim_cur = 200;
    ::setrlimit(RLIMIT_NOFILE, &low);
  }
  ~OpenFiles() override { ::setrlimit(RLIMIT_NOFILE, &before_); }

  static rlim_t soft_limit() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
  }
  rlim_t hard_limit() const { return before_.rlim_max; }

 private:
  rlimit before_{};
};

TEST_F(OpenFiles, LimitStaysIfHalfOfItIsFree) {
  keep_descriptors_free(99);
  keep_descriptors_free(-1);
  EXPECT_EQ(soft_limit(), 200U);
}

TEST_F(OpenFiles, LimitDoublesIfMoreThanHalfIsInUse) {
  ASSERT_GE(hard_limit(), 400U);
  keep_descriptors_free(100);
  EXPECT_EQ(soft_limit(), 400U);
}

TEST_F(OpenFiles, LimitCanBeRaisedToTheHardLimit) {
  EXPECT_EQ(static_cast<rlim_t>(hard_limit_of_open_files()), hard_limit());
  raise_limit_of_open_files();
  EXPECT_EQ(soft_limit(), hard_limit());
}

TEST_F(OpenFiles, LimitIsAtMostTheHardLimit) {
  for (int i = 0; i < 64; ++i) keep_descriptors_free(1 << 30);
  EXPECT_EQ(soft_limit(), std::min<rlim_t>(hard_limit(), soft_limit()));
  EXPECT_GT(soft_limit(), 200U);
}

}  // namespace
}  // namespace tfm
