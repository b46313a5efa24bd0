// Errors that a user can act on. Each has a problem, and most have a place (file, line, field) and
// a hint that says what to do. The command line prints what(), which contains these parts, and
// exits with the error's code: 2 for a wrong command line or config, 130 for an interruption, 1
// otherwise. Code that needs one of the three parts calls where(), problem() or hint() and never
// parses what(). Any other exception is a bug in tfm, except when memory runs out.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tfm {

class Error : public std::runtime_error {
 public:
  /// `where` is a place such as "configs/a.yaml:12", "train.de:881" or "training.seed", or empty.
  /// `hint` is a full sentence that says what to do, or empty.
  Error(std::string_view where, std::string_view problem, std::string_view hint, int exit_code);

  int exit_code() const { return exit_code_; }

  // The parts of what(). The views are valid as long as this object exists.
  std::string_view where() const;
  std::string_view problem() const;
  std::string_view hint() const;
  /// Returns the place and the problem ("where: problem"), without the hint.
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

/// Text that can't be read or used, such as a missing file, unequal line counts or invalid UTF-8.
/// Exit code 1.
class DataError : public Error {
 public:
  DataError(std::string_view where, std::string_view problem, std::string_view hint = "")
      : Error(where, problem, hint, 1) {}
};

/// A model folder, checkpoint or device that can't be used, or a file that can't be written. Exit
/// code 1.
class ModelError : public Error {
 public:
  ModelError(std::string_view where, std::string_view problem, std::string_view hint = "")
      : Error(where, problem, hint, 1) {}
};

/// A model that computes infinities or NaN, because its training has diverged. Exit code 1. The
/// trainer can roll back; other callers can only report the error.
class NonFiniteError : public ModelError {
 public:
  using ModelError::ModelError;
};

/// A failure of communication in a distributed run: another process has ended, does not answer or
/// has a different config. Exit code 1.
class CommunicationError : public Error {
 public:
  CommunicationError(std::string_view where, std::string_view problem, std::string_view hint = "")
      : Error(where, problem, hint, 1) {}
};

/// Another process of the run has ended, so this process can't continue. The message of the other
/// process has the cause.
class LostContactError : public CommunicationError {
 public:
  using CommunicationError::CommunicationError;
};

/// Thrown when the user stops a command with a signal (interrupt.h), or ends the input of `tfm
/// config init`. `tfm train` and `tfm translate --resume` save the state that is needed to resume
/// before they throw this error. Exit code 130.
class Interrupted : public Error {
 public:
  explicit Interrupted(std::string_view problem, std::string_view hint = "")
      : Error("", problem, hint, 130) {}
};

}  // namespace tfm
