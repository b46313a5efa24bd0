// make_seeds FOLDER writes small SentencePiece models, one per algorithm, as seeds for the fuzzer.
#include <fstream>
#include <string>

#include "text/sample_text.h"
#include "tfm/tokenizer/sentencepiece_training.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const auto algorithm : {tfm::SubwordAlgorithm::bpe, tfm::SubwordAlgorithm::unigram}) {
    const auto text = tfm::sample_text(1, 100);
    const auto name = std::string(argv[1]) +
                      (algorithm == tfm::SubwordAlgorithm::bpe ? "/bpe.model" : "/unigram.model");
    std::ofstream(name, std::ios::binary)
        << tfm::train_sentencepiece({text}, tfm::subword_config(algorithm, 60));
  }
}
