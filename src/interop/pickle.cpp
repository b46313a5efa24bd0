#include "pickle.h"

#include <fmt/format.h>

#include <map>

#include "tfm/core/format.h"

namespace tfm {
namespace {

using Kind = PickleValue::Kind;

/// The stack machine of one pickle. An opcode makes at most one value and pushes at most one, so
/// the limit on opcodes also limits the memory.
class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, std::size_t at,
                const std::set<std::string, std::less<>>& names)
      : bytes_(bytes), at_(at), names_(names) {}

  Pickle run() {
    // A tensor of a state dict takes about 50 opcodes.
    constexpr int most_opcodes = 1'000'000;
    for (int opcodes = 0; opcodes < most_opcodes; ++opcodes) {
      opcode_at_ = at_;
      const char opcode = read(1).front();
      if (opcode == '.') return finish();
      if (!read_constant(opcode) && !read_text(opcode) && !build_container(opcode) &&
          !use_memo(opcode) && !build_object(opcode))
        throw PickleError(fmt::format("byte {}: uses the opcode {:#04x}, which no state dict needs",
                                      opcode_at_, static_cast<unsigned char>(opcode)),
                          save_hint);
    }
    malformed("it has too many opcodes");
  }

  std::size_t at() const { return at_; }

 private:
  static constexpr const char* save_hint =
      "Load it with a version of PyTorch that you trust it to, and save the result of state_dict() "
      "with torch.save or as model.safetensors.";

  [[noreturn]] void malformed(const std::string& what) const {
    throw PickleError(fmt::format("byte {}: {}", opcode_at_, what),
                      "The file may be truncated or corrupt. Use another copy.");
  }

  std::string_view read(std::uint64_t size) {
    if (size > bytes_.size() - at_) malformed("the file ends within a pickle");
    const auto part = bytes_.substr(at_, size);
    at_ += size;
    return part;
  }

  std::uint64_t read_unsigned(std::size_t size) {
    std::uint64_t value = 0;
    const auto field = read(size);
    for (std::size_t i = 0; i < size; ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(field[i])) << (8 * i);
    return value;
  }

  /// Reads up to the end of the line, which is dropped.
  std::string_view read_line() {
    const auto end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) malformed("the file ends within a pickle");
    const auto line = read(end - at_);
    ++at_;
    return line;
  }

  PickleValue& push(Kind kind) {
    auto& value = pickle_.arena.emplace_back();
    value.kind = kind;
    stack_.push_back(&value);
    return value;
  }

  /// Throws if the stack has no value above the last mark.
  PickleValue& top() const {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) malformed("the stack is empty");
    return *stack_.back();
  }

  PickleValue& pop() {
    auto& value = top();
    stack_.pop_back();
    return value;
  }

  std::vector<const PickleValue*> pop_to_mark() {
    if (marks_.empty()) malformed("a mark is missing");
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<const PickleValue*> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }

  bool read_constant(char opcode) {
    switch (opcode) {
      case '\x80':  // PROTO
        read(1);
        return true;
      case '\x95':  // FRAME
        read(8);
        return true;
      case 'N':
        push(Kind::none);
        return true;
      case '\x88':  // NEWTRUE
      case '\x89':  // NEWFALSE
        push(Kind::boolean).integer = opcode == '\x88' ? 1 : 0;
        return true;
      case 'J':  // BININT
        push(Kind::integer).integer = static_cast<std::int32_t>(read_unsigned(4));
        return true;
      case 'K':  // BININT1
      case 'M':  // BININT2
        push(Kind::integer).integer =
            static_cast<std::int64_t>(read_unsigned(opcode == 'K' ? 1 : 2));
        return true;
      case '\x8A':  // LONG1
        push_long(read(read_unsigned(1)));
        return true;
      default:
        return false;
    }
  }

  /// Pushes an integer in two's complement, little-endian.
  void push_long(std::string_view digits) {
    if (digits.size() > sizeof(std::int64_t)) {
      push(Kind::large_integer).text = digits;
      return;
    }
    const bool negative = !digits.empty() && (static_cast<unsigned char>(digits.back()) & 0x80U);
    std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit)
      value = value << 8U | static_cast<unsigned char>(*digit);
    push(Kind::integer).integer = static_cast<std::int64_t>(value);
  }

  bool read_text(char opcode) {
    std::size_t length_size = 0;
    switch (opcode) {
      case 'U':     // SHORT_BINSTRING
      case '\x8C':  // SHORT_BINUNICODE
        length_size = 1;
        break;
      case 'T':  // BINSTRING
      case 'X':  // BINUNICODE
        length_size = 4;
        break;
      case '\x8D':  // BINUNICODE8
        length_size = 8;
        break;
      default:
        return false;
    }
    const auto text = read(read_unsigned(length_size));
    push(Kind::text).text = text;
    return true;
  }

  bool build_container(char opcode) {
    switch (opcode) {
      case '(':
        marks_.push_back(stack_.size());
        return true;
      case ')':  // EMPTY_TUPLE
        push(Kind::tuple);
        return true;
      case ']':  // EMPTY_LIST
        push(Kind::list);
        return true;
      case '}':  // EMPTY_DICT
        push(Kind::dictionary);
        return true;
      case '\x85':  // TUPLE1
      case '\x86':  // TUPLE2
      case '\x87':  // TUPLE3
        push_tuple(static_cast<std::size_t>(static_cast<unsigned char>(opcode)) - 0x84);
        return true;
      case 't': {  // TUPLE
        auto items = pop_to_mark();
        push(Kind::tuple).items = std::move(items);
        return true;
      }
      case 'a': {  // APPEND
        const auto& item = pop();
        append({&item});
        return true;
      }
      case 'e':  // APPENDS
        append(pop_to_mark());
        return true;
      case 's': {  // SETITEM
        const auto& value = pop();
        const auto& key = pop();
        set_items({&key, &value});
        return true;
      }
      case 'u':  // SETITEMS
        set_items(pop_to_mark());
        return true;
      default:
        return false;
    }
  }

  void push_tuple(std::size_t size) {
    std::vector<const PickleValue*> items(size);
    for (auto item = items.rbegin(); item != items.rend(); ++item) *item = &pop();
    push(Kind::tuple).items = std::move(items);
  }

  void append(const std::vector<const PickleValue*>& items) {
    auto& list = top();
    if (list.kind != Kind::list) malformed("appends to a value that is not a list");
    list.items.insert(list.items.end(), items.begin(), items.end());
  }

  void set_items(const std::vector<const PickleValue*>& items) {
    auto& target = top();
    if ((target.kind != Kind::dictionary && target.kind != Kind::call) || items.size() % 2 != 0)
      malformed("sets items of a value that is not a dictionary");
    for (std::size_t i = 0; i < items.size(); i += 2)
      target.entries.push_back({items[i], items[i + 1]});
  }

  bool use_memo(char opcode) {
    switch (opcode) {
      case 'q':  // BINPUT
      case 'r':  // LONG_BINPUT
        memo_[read_unsigned(opcode == 'q' ? 1 : 4)] = &top();
        return true;
      case '\x94':  // MEMOIZE
        memo_[memo_.size()] = &top();
        return true;
      case 'h':    // BINGET
      case 'j': {  // LONG_BINGET
        const auto index = read_unsigned(opcode == 'h' ? 1 : 4);
        const auto found = memo_.find(index);
        if (found == memo_.end()) malformed(fmt::format("the memo has no value {}", index));
        stack_.push_back(found->second);
        return true;
      }
      default:
        return false;
    }
  }

  bool build_object(char opcode) {
    switch (opcode) {
      case 'c': {  // GLOBAL
        const auto module = read_line();
        push_name(module, read_line());
        return true;
      }
      case '\x93': {  // STACK_GLOBAL
        const auto& name = pop();
        const auto& module = pop();
        if (name.kind != Kind::text || module.kind != Kind::text) malformed("a name is not a text");
        push_name(module.text, name.text);
        return true;
      }
      case 'R': {  // REDUCE
        const auto& arguments = pop();
        const auto& function = pop();
        if (function.kind != Kind::name || arguments.kind != Kind::tuple)
          malformed("calls a value that is not a function");
        push(Kind::call).items = {&function, &arguments};
        return true;
      }
      case 'Q': {  // BINPERSID
        const auto& id = pop();
        push(Kind::persistent).items = {&id};
        return true;
      }
      case 'b':  // BUILD
        pop();
        if (top().kind != Kind::call) malformed("sets attributes of a value that has none");
        top().has_state = true;
        return true;
      default:
        return false;
    }
  }

  void push_name(std::string_view module, std::string_view name) {
    auto full = fmt::format("{}.{}", module, name);
    if (!names_.contains(full))
      throw PickleError(
          fmt::format("byte {}: refers to {}, which no state dict needs", opcode_at_,
                      escape_controls(full)),
          "Loading it in Python could run code; tfm has run none. If you trust its source, load it "
          "with PyTorch and save only the result of state_dict() with torch.save.");
    push(Kind::name).text = std::move(full);
  }

  Pickle finish() {
    pickle_.root = &pop();
    if (!stack_.empty() || !marks_.empty()) malformed("values are left on the stack");
    return std::move(pickle_);
  }

  std::string_view bytes_;
  std::size_t at_;
  std::size_t opcode_at_ = 0;
  const std::set<std::string, std::less<>>& names_;
  Pickle pickle_;
  std::vector<PickleValue*> stack_;
  std::vector<std::size_t> marks_;  // sizes of the stack
  // The file chooses the keys, so a hash table could be made slow.
  std::map<std::uint64_t, PickleValue*> memo_;
};

}  // namespace

Pickle read_pickle(std::string_view bytes, std::size_t& at,
                   const std::set<std::string, std::less<>>& names) {
  PickleMachine machine(bytes, at, names);
  auto pickle = machine.run();
  at = machine.at();
  return pickle;
}

}  // namespace tfm
