// The options of the sanitizers, which each program of a build with TFM_SANITIZE brings along. A
// program takes further ones from the environment (ASAN_OPTIONS, ...); they override these.

// LibTorch is not instrumented: a vector that it grows looks like a container overflow, and the
// thread sanitizer does not see the locks of its threads. Everything else is checked, including
// leaks.
extern "C" const char* __asan_default_options() {
  return "detect_container_overflow=0:allocator_may_return_null=1";
}

extern "C" const char* __lsan_default_options() {
  return "suppressions=" TFM_SUPPRESSIONS "/lsan.supp";
}

extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }

extern "C" const char* __tsan_default_options() {
  // A vocabulary is learnt in a fork, which starts threads (core/forked_work.h).
  return "allocator_may_return_null=1:die_after_fork=0:suppressions=" TFM_SUPPRESSIONS "/tsan.supp";
}
