// The module tfm._tfm: the C++ library (tfm/tfm.h) for Python. python/tfm/__init__.py makes the
// package of it. Every function that computes releases Python's global lock.
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <csignal>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tfm/core/interrupt.h"
#include "tfm/tfm.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tfm {
namespace {

using Strings = std::vector<std::string>;
using Unlocked = nb::call_guard<nb::gil_scoped_release>;

/// The models of a Translator or Scorer, which Python's list keeps alive.
std::vector<TranslationModel*> networks(const std::vector<Model*>& models) {
  std::vector<TranslationModel*> found;
  for (auto* model : models) found.push_back(&static_cast<TranslationModel&>(*model));
  return found;
}

DecodingConfig decoding_of(const std::vector<Model*>& models, const Strings& overrides) {
  if (models.empty()) throw ModelError("", "no model was given");
  return with_overrides(models.front()->config(), overrides).decoding;
}

std::vector<Translation> translate(const Translator& translator, const Strings& lines,
                                   std::int64_t alternatives, bool alignment, bool keep_markup) {
  return translator.translate(
      lines, {.alternatives = alternatives, .alignment = alignment, .keep_markup = keep_markup});
}

std::vector<PairScore> score(const Scorer& scorer,
                             const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<SentencePair> given;
  given.reserve(pairs.size());
  for (const auto& [source, target] : pairs) given.push_back({source, target});
  return scorer.score(given);
}

double bleu(const Strings& hypotheses, const Strings& references, const std::string& tokenizer,
            bool lowercase) {
  const auto config = with_overrides({}, {"training.bleu_tokenizer=" + tokenizer});
  const BleuOptions options{
      .tokenizer = resolve_bleu_tokenizer(config.training.bleu_tokenizer, references),
      .lowercase = lowercase};
  return corpus_bleu(hypotheses, references, options).score;
}

/// Lets signals stop the training as they stop the program, and gives Python its handlers back.
class TrainingSignals {
 public:
  TrainingSignals() {
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], nullptr, &before_[i]);
    install_signal_handlers();
  }
  ~TrainingSignals() {
    clear_interrupt();
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
  }
  TrainingSignals(const TrainingSignals&) = delete;
  TrainingSignals& operator=(const TrainingSignals&) = delete;

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> before_{};
};

std::string train_config(const std::string& file, const Strings& overrides, bool resume) {
  const TrainingSignals signals;
  TrainRequest request{
      .config = file.empty() ? parse_config("", "config", overrides) : load_config(file, overrides),
      .name = file.empty() ? "python" : std::filesystem::path(file).stem().string(),
      .resume = resume};
  const ThreadCountGuard threads_before(thread_count());
  set_threads(request.config.training.threads);
  configure_allocator(Workload::training);
  return train(request).folder.string();
}

/// The function is never released, because messages may come until the process ends.
void set_log(nb::callable log) {
  log.inc_ref();
  set_log_sink(
      [target = nb::handle(log)](LogLevel level, std::string_view text) {
        const nb::gil_scoped_acquire lock;
        try {
          target(static_cast<int>(level), nb::str(text.data(), text.size()));
        } catch (nb::python_error& error) {
          if (error.matches(PyExc_KeyboardInterrupt))
            PyErr_SetInterrupt();  // raised when Python continues
          else
            error.discard_as_unraisable("the log of tfm");
        }
      },
      LogLevel::info);
}

void add_errors(nb::module_& module) {
  const auto error = nb::exception<Error>(module, "Error", PyExc_Exception);
  nb::exception<ConfigError>(module, "ConfigError", error.ptr());
  nb::exception<DataError>(module, "DataError", error.ptr());
  nb::exception<ModelError>(module, "ModelError", error.ptr());
  nb::exception<CommunicationError>(module, "CommunicationError", error.ptr());
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Interrupted& interrupted) {
      PyErr_SetString(PyExc_KeyboardInterrupt, interrupted.what());
    }
  });
}

void add_results(nb::module_& module) {
  nb::class_<WordLink>(module, "WordLink", "A link between words, counted from 0")
      .def_ro("source", &WordLink::source)
      .def_ro("target", &WordLink::target)
      .def("__repr__", [](const WordLink& link) { return format_pharaoh({link}); });
  nb::class_<ExplainedToken>(module, "ExplainedToken")
      .def_ro("piece", &ExplainedToken::piece, "The token as the vocabulary spells it")
      .def_ro("log_prob", &ExplainedToken::log_prob)
      .def_ro("alternatives", &ExplainedToken::alternatives,
              "Pieces and their log-probabilities, best first");
  nb::class_<Candidate>(module, "Candidate", "One of the translations of a line")
      .def_ro("text", &Candidate::text)
      .def_ro("log_prob", &Candidate::log_prob, "The log-probability (natural logarithm)")
      .def_ro("score", &Candidate::score, "What the search compares, with its length penalty")
      .def_ro("tokens", &Candidate::tokens)
      .def_ro("alignment", &Candidate::alignment)
      .def_ro("explanation", &Candidate::explanation);
  nb::class_<Translation>(module, "Translation", "The translations of a line")
      .def_prop_ro(
          "text", [](const Translation& found) { return found.text(); }, "The best translation")
      .def_ro("candidates", &Translation::candidates, "Best first")
      .def_ro("unknown", &Translation::unknown, "Source text that the vocabulary lacks")
      .def_ro("parts", &Translation::parts, "The number of parts that were translated separately")
      .def_ro("was_split", &Translation::was_split)
      .def_ro("had_invalid_utf8", &Translation::had_invalid_utf8);
  nb::class_<PairScore>(module, "PairScore", "The score of a translation")
      .def_ro("tokens", &PairScore::tokens)
      .def_ro("log_probs", &PairScore::log_probs, "The log-probability of each token")
      .def_ro("log_prob", &PairScore::log_prob, "Their sum; NaN if the pair is too long")
      .def_ro("unknown", &PairScore::unknown)
      .def_ro("too_long", &PairScore::too_long);
}

void add_models(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A model in memory, which translators and scorers may share")
      .def(
          "__init__",
          [](Model* self, const std::string& folder, const std::string& device) {
            static std::once_flag once;
            std::call_once(once, [] { configure_allocator(Workload::translation); });
            new (self) Model(Model::load(folder, device));
          },
          "folder"_a, "device"_a = "auto", Unlocked())
      .def_prop_ro("folder", [](const Model& model) { return model.folder().string(); })
      .def_prop_ro("device", &Model::device)
      .def_prop_ro(
          "config", [](const Model& model) { return write_config(model.config()); },
          "The config as YAML");
  nb::class_<Translator>(module, "Translator")
      .def(
          "__init__",
          [](Translator* self, const std::vector<Model*>& models, const Strings& overrides) {
            new (self) Translator(networks(models), decoding_of(models, overrides));
          },
          "models"_a, "overrides"_a, nb::keep_alive<1, 2>(), Unlocked())
      .def("translate", &translate, "lines"_a, "alternatives"_a, "alignment"_a, "keep_markup"_a,
           Unlocked());
  nb::class_<Scorer>(module, "Scorer")
      .def(
          "__init__",
          [](Scorer* self, const std::vector<Model*>& models, const Strings& overrides) {
            new (self) Scorer(networks(models), decoding_of(models, overrides));
          },
          "models"_a, "overrides"_a, nb::keep_alive<1, 2>(), Unlocked())
      .def("score", &score, "pairs"_a, Unlocked());
}

}  // namespace
}  // namespace tfm

NB_MODULE(_tfm, module) {
  using namespace tfm;
  module.attr("__version__") = version();
  add_errors(module);
  add_results(module);
  add_models(module);
  module.def("bleu", &bleu, "hypotheses"_a, "references"_a, "tokenizer"_a, "lowercase"_a,
             Unlocked());
  module.def(
      "chrf",
      [](const Strings& hypotheses, const Strings& references) {
        return corpus_chrf(hypotheses, references);
      },
      "hypotheses"_a, "references"_a, Unlocked());
  module.def(
      "ter",
      [](const Strings& hypotheses, const Strings& references) {
        return corpus_ter(hypotheses, references);
      },
      "hypotheses"_a, "references"_a, Unlocked());
  module.def("train", &train_config, "file"_a, "overrides"_a, "resume"_a, Unlocked());
  module.def("set_threads", &set_threads, "threads"_a,
             "Sets the number of CPU threads of the process; 0 means all that it may use");
  module.def("set_log", &set_log, "log"_a);
  set_threads(0);
}
