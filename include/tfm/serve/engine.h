// Translates the lines of many requests, each line by itself; lines that are translated at the same
// time share the model's batches (translate/shared_batches.h). Requests take turns: a free worker
// takes a line of one request, then of the next, so a long document does not hold up a short
// request. The number of waiting lines is bounded.
//
// An Engine knows nothing about models: a lane is a function that translates a line. A line keeps
// its lane alive, so models can be replaced at any time. Several threads may call an Engine at
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "tfm/data/language_pair.h"
#include "tfm/serve/http_message.h"
#include "tfm/translate/aligned_word.h"

namespace tfm {

/// The translations of a line, best first; at least one, unless the line has an error.
using LineCandidates = std::vector<std::string>;

/// What a client wants to know of a line besides its translations.
struct LineDetails {
  bool words = false;  ///< sets LineTranslation::words
  /// If above 0, the candidates are at most this number of translations that begin with the prefix
  /// and differ in the next word (TranslationRequest::next_words).
  std::int64_t next_words = 0;
  std::string prefix{};  ///< complete words; used only with next_words
  /// If not empty, the line is not translated, but this is its translation, and
  /// LineTranslation::attention is set.
  std::string attention_target{};

  bool operator==(const LineDetails&) const = default;
};

/// A line as a lane gets it.
struct LaneLine {
  std::string text;
  /// what a model of several languages needs to know of the line: the tags of its pair
  SentenceTags tags{};
  LineDetails details{};
  std::stop_token stop{};  ///< says that the translation is not needed any longer
};

/// A line as a lane returns it.
struct LineTranslation {
  LineCandidates candidates;
  /// the words of each candidate (Candidate::words), if they were requested
  std::vector<std::vector<AlignedWord>> words{};
  /// number of segments of the line that were translated separately; a line of one has next words
  std::int64_t segments = 1;
  /// the attention of the model that reads the line and LineDetails::attention_target, as JSON
  std::string attention{};
  /// set if the line can't be answered because of what the client asks for
  std::optional<HttpError> error{};

  const std::string& text() const { return candidates.front(); }
  bool operator==(const LineTranslation&) const = default;
};

/// Returns the translation of a line, or its error. Throws only if the service is at fault, or if
/// the line's `stop` asks for it. Is called by several threads at once.
using Lane = std::function<LineTranslation(const LaneLine& line)>;
using LanePointer = std::shared_ptr<const Lane>;

/// What is known of a line when its lane has returned.
struct LineReport {
  double waited = 0;   ///< seconds from the request to the call of the lane
  double seconds = 0;  ///< that the lane took
};

struct EngineOptions {
  /// threads, each of which calls a lane for a line; at least 1. Most of them wait for a batch.
  std::size_t workers = 1;
  std::size_t waiting_lines = 10'000;  ///< the most lines that may wait for a worker
  /// Is called after each line, by the worker. May be empty.
  std::function<void(const LineReport&)> on_line{};
};

class Engine {
 public:
  struct Line {
    LanePointer lane;
    std::string text;
    SentenceTags tags{};  ///< LaneLine::tags
    LineDetails details{};
  };

  struct Result {
    std::vector<LineTranslation> lines;  ///< one entry per line of the request
    /// Set if a line could not be translated: an HttpError of a line (LineTranslation::error), or
    /// what the lane threw, which the engine logs. There are no lines then.
    std::exception_ptr error;
  };
  /// Is called once, by a thread of the engine, or by submit if the request has no lines.
  using Done = std::function<void(Result)>;
  using Ticket = std::uint64_t;

  explicit Engine(const EngineOptions& options);
  /// Waits for the lines that are being translated. Requests that are not complete are dropped.
  ~Engine();

  /// Adds a request. Throws HttpError 503 if too many lines are waiting, and 413 if the request has
  /// more lines than may ever wait.
  Ticket submit(std::vector<Line> lines, Done done);
  /// Drops the waiting lines of a request, and asks for a stop of those that are being translated.
  /// `done` is not called unless its call has begun. Does nothing if the request is complete.
  void cancel(Ticket ticket);
  /// Returns the number of lines that wait.
  std::size_t waiting() const;

 private:
  class Queue;
  std::unique_ptr<Queue> queue_;
};

}  // namespace tfm
