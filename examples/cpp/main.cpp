// Trains a model, loads it, translates, and scores the translations:
//   example train.de train.en RUN_FOLDER "ein satz"...
#include <tfm/tfm.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

/// Trains a very small model on the pairs, in a few seconds.
void train(const std::string& source, const std::string& target, const std::string& folder) {
  const auto yaml =
      "model: {preset: tiny}\n"
      "data: {train_source: " +
      source + ", train_target: " + target +
      "}\n"
      "training: {run_folder: " +
      folder + ", max_steps: 40, batch_size: 512}\n";
  tfm::TrainRequest request;
  request.config = tfm::parse_config(yaml, "example", {"tokenizer.kind=word"});
  tfm::train(request);
}

/// Prints each translation with its log-probability.
void translate(const std::string& folder, const std::vector<std::string>& sentences) {
  std::vector<tfm::Model> models;
  models.push_back(tfm::Model::load(folder));
  auto decoding = models.front().config().decoding;
  decoding.beam_size = 4;
  const tfm::Translator translator(models.front(), decoding);
  const tfm::Scorer scorer(tfm::pointers(models), decoding);
  const auto translations = translator.translate(sentences);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const auto score = scorer.score({{sentences[i], translations[i].text()}}).front();
    std::printf("%s\t%.2f\n", translations[i].text().c_str(), score.log_prob);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fputs("usage: example SOURCE TARGET RUN_FOLDER SENTENCE...\n", stderr);
    return 2;
  }
  tfm::set_threads(0);  // all CPUs
  tfm::set_log_sink([](tfm::LogLevel, std::string_view message) {
    std::fprintf(stderr, "tfm says: %.*s\n", static_cast<int>(message.size()), message.data());
  });
  try {
    train(argv[1], argv[2], argv[3]);
    translate(argv[3], {argv + 4, argv + argc});
  } catch (const tfm::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.exit_code();
  }
}
