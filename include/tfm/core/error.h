// Errors that a user can act on. Each says where (file, line, field), what is wrong and what to do.
// The command line prints what(), which is all three, and exits with the error's code: 2 for a
// wrong command line or config, 1 for everything else. Code that needs one of the three asks for
// it: what() is for people and is never cut apart. An exception that is not an Error is a bug in
// tfm.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tfm {

class Error : public std::runtime_error {
 public:
  /// where: "configs/a.yaml:12", "train.de:881", "training.seed" or empty. hint: what to do, a
  /// full sentence, or empty.
  Error(std::string_view where, std::string_view problem, std::string_view hint, int exit_code);

  int exit_code() const { return exit_code_; }

  // Parts of what(). They live as long as this error.
  std::string_view where() const;
  std::string_view problem() const;
  std::string_view hint() const;
  /// "where: problem", without the hint.
  std::string_view summary() const;

 private:
  int exit_code_;
  std::size_t where_size_;
  std::size_t summary_size_;
};

/// A wrong command line, config file or field value. Exit code 2.
class ConfigError : public Error {
 public:
  ConfigError(std::string_view where, std::string_view problem, std::string_view hint = "")
      : Error(where, problem, hint, 2) {}
};

/// Text that can't be read or used: a missing file, unequal line counts, invalid UTF-8. Exit
/// code 1.
class DataError : public Error {
 public:
  DataError(std::string_view where, std::string_view problem, std::string_view hint = "")
      : Error(where, problem, hint, 1) {}
};

/// A model folder, checkpoint or device that can't be used. Exit code 1.
class ModelError : public Error {
 public:
  ModelError(std::string_view where, std::string_view problem, std::string_view hint = "")
      : Error(where, problem, hint, 1) {}
};

/// Weights that compute infinities or NaN: training has diverged. Exit code 1. The trainer can roll
/// back; other callers can only report it.
class NonFiniteError : public ModelError {
 public:
  using ModelError::ModelError;
};

/// Another process of a distributed run that is gone, does not answer or does not fit. Exit code 1.
class CommunicationError : public Error {
 public:
  CommunicationError(std::string_view where, std::string_view problem, std::string_view hint = "")
      : Error(where, problem, hint, 1) {}
};

/// Work that stopped because the user asked for it (Ctrl-C, SIGTERM), after what can be gone on
/// with was saved. Exit code 130.
class Interrupted : public Error {
 public:
  explicit Interrupted(std::string_view problem, std::string_view hint = "")
      : Error("", problem, hint, 130) {}
};

}  // namespace tfm
