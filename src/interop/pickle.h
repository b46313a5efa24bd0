// Reads a pickle without running it. A pickle is a program for a machine with a stack and a memo
// (Lib/pickletools.py of CPython describes its opcodes). In Python, its opcodes may import any name
// and call it. Here, a name is only a text, which must be among the names that the caller allows,
// and a call is only a value that records the function and its arguments. Opcodes that a state dict
// of PyTorch does not need are refused.
//
// The values form a graph in one arena, so that neither deep nesting nor cycles cost more than the
// opcodes that made them. Code that walks the graph must do so to a fixed depth.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// Describes what is wrong with a pickle, and what to do; the caller adds the file name.
class PickleError : public std::runtime_error {
 public:
  PickleError(const std::string& problem, std::string hint)
      : std::runtime_error(problem), hint_(std::move(hint)) {}

  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

struct PickleValue {
  enum class Kind {
    none,
    boolean,
    integer,
    large_integer,  ///< more than 64 bits
    text,
    tuple,
    list,
    dictionary,
    name,        ///< a function or class of a module
    call,        ///< of a name with a tuple of arguments
    persistent,  ///< a reference to something outside the pickle
  };
  struct Entry {
    const PickleValue* key;
    const PickleValue* value;
  };

  Kind kind = Kind::none;
  bool has_state = false;    ///< whether attributes were set, which are dropped
  std::int64_t integer = 0;  ///< the value of a boolean or an integer
  /// A text, a name with its module ("os.system"), or the little-endian bytes of a large integer.
  std::string text;
  /// The elements of a tuple or list; function and arguments of a call; the id of a reference.
  std::vector<const PickleValue*> items;
  std::vector<Entry> entries;  ///< of a dictionary, or set in the result of a call
};

/// The values of a pickle. They are valid as long as this object exists.
struct Pickle {
  std::deque<PickleValue> arena;
  const PickleValue* root = nullptr;
};

/// Reads the pickle that begins at byte `at` of `bytes`, and sets `at` to the byte behind it.
/// Throws PickleError if the pickle is malformed, uses a name that is not in `names`, or uses an
/// unsupported opcode.
Pickle read_pickle(std::string_view bytes, std::size_t& at,
                   const std::set<std::string, std::less<>>& names);

}  // namespace tfm
