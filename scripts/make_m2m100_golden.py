#!/usr/bin/env python3
"""Writes tests/interop/golden/m2m100.*: a small random M2M-100 model of transformers, the files of
its tokenizers, and what transformers computes with them.

m2m100.safetensors: the weights ("weights/..." under their own names) with the config.json as
metadata, and the logits of a batch.
m2m100.model: the SentencePiece model of both tokenizers.
m2m100.json: for M2M-100, NLLB-200 and NLLB-200 with the legacy order of tokens, the other files of
the tokenizer, the ids of sources, and the translations of greedy and beam search with their
log-probabilities.
Made with torch 2.13.0, transformers 5.24.0 and sentencepiece 0.2.1 on a CPU; another version may
differ in the last bits.

Usage: scripts/make_m2m100_golden.py
(from the repository's root; pip install torch transformers safetensors sentencepiece)
"""
import io
import json
import tempfile
from pathlib import Path

import sentencepiece
import torch
from safetensors.torch import save_file
from transformers import (M2M100Config, M2M100ForConditionalGeneration, M2M100Tokenizer,
                          NllbTokenizer)

FOLDER = Path("tests/interop/golden")
VOCAB, WIDTH, PAD, EOS, UNK = 180, 16, 1, 2, 3
HIGHER = 3
CODES = ["ace_Arab", "deu_Latn", "eng_Latn", "fra_Latn", "zho_Hans", "zho_Hant", "zul_Latn"]
TEXT = ["der hund schläft im garten", "die katze trinkt milch", "ein haus am see",
        "wir gehen nach hause", "das kind spielt mit dem hund", "guten morgen und gute nacht"]
SOURCE = torch.tensor([[70, 9, 33, 7, 11, EOS], [64, 6, EOS, PAD, PAD, PAD]])
TARGET = torch.tensor([[71, 8, 62, 12, 3], [71, 10, 7, 35, 6]])


def sentencepiece_model():
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT * 3), model_writer=model, vocab_size=60, model_type="bpe",
        normalization_rule_name="identity", hard_vocab_limit=False, minloglevel=2)
    return model.getvalue()


def random_model():
    config = M2M100Config(vocab_size=VOCAB, d_model=WIDTH, encoder_layers=2, decoder_layers=2,
                          encoder_attention_heads=2, decoder_attention_heads=2,
                          encoder_ffn_dim=24, decoder_ffn_dim=24, max_position_embeddings=64)
    model = M2M100ForConditionalGeneration(config).eval()
    torch.manual_seed(1)
    for name, parameter in model.named_parameters():
        parameter.data.normal_(1.0 if "norm.weight" in name else 0.0, 0.5)
    model.model.shared.weight.data[PAD] = 0
    eos = model.model.shared.weight.data[EOS]
    # A higher logit of </s> ends most translations before the maximum length.
    model.model.decoder.layer_norm.bias.data += HIGHER * eos / eos.square().sum()
    return model


def tokenizer_files(folder, pieces, kind):
    """Writes the files of a tokenizer and returns those beside the SentencePiece model."""
    (folder / "sentencepiece.bpe.model").write_bytes(pieces)
    processor = sentencepiece.SentencePieceProcessor(model_proto=pieces)
    tokens = [processor.id_to_piece(i) for i in range(3, processor.get_piece_size())]
    if kind == "m2m100":
        vocabulary = ["<s>", "<pad>", "</s>", "<unk>"] + tokens[::-1]
        (folder / "vocab.json").write_text(json.dumps({p: i for i, p in enumerate(vocabulary)}))
        tokenizer = M2M100Tokenizer(str(folder / "vocab.json"),
                                    str(folder / "sentencepiece.bpe.model"), src_lang="de")
    else:
        tokenizer = NllbTokenizer.from_pretrained(folder, src_lang="deu_Latn",
                                                  extra_special_tokens=CODES,
                                                  legacy_behaviour=kind == "nllb_legacy")
    tokenizer.save_pretrained(folder)
    files = {name: json.loads((folder / name).read_text())
             for name in ("vocab.json", "tokenizer_config.json", "tokenizer.json")
             if (folder / name).exists()}
    if "tokenizer.json" in files:
        files["tokenizer.json"] = {"added_tokens": files["tokenizer.json"]["added_tokens"]}
    return tokenizer, files


def translate(model, ids, target, forbidden, beam):
    found = model.generate(
        input_ids=torch.tensor([ids]), num_beams=beam, forced_bos_token_id=target,
        bad_words_ids=[[token] for token in forbidden], max_new_tokens=13, length_penalty=0.0,
        early_stopping="never" if beam > 1 else False, return_dict_in_generate=True,
        output_scores=True)
    tokens = found.sequences[0].tolist()
    assert tokens[:2] == [EOS, target], tokens
    probabilities = model.compute_transition_scores(
        found.sequences, found.scores, found.get("beam_indices"), normalize_logits=False)[0]
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([ids]), decoder_input_ids=found.sequences[:, :-1])
    forced = logits.logits.log_softmax(-1)[0].gather(1, found.sequences[0, 1:, None])[1:].sum()
    assert probabilities[0].item() == 0  # the forced token does not count
    return {"tokens": tokens[2:], "log_prob": forced.item()}


def cases(model, pieces, kind):
    with tempfile.TemporaryDirectory() as name:
        tokenizer, files = tokenizer_files(Path(name), pieces, kind)
    target = tokenizer.convert_tokens_to_ids("__fr__" if kind == "m2m100" else "fra_Latn")
    added = (tokenizer.lang_token_to_id if kind == "m2m100"
             else {code: tokenizer.convert_tokens_to_ids(code) for code in CODES})
    forbidden = [PAD, UNK] + list(added.values())
    result = {"files": files, "target": target, "sentences": []}
    for text in ["der hund trinkt milch", "gute nacht xylophon", "das haus"]:
        ids = tokenizer(text)["input_ids"]
        result["sentences"].append({
            "text": text, "ids": ids,
            "greedy": translate(model, ids, target, forbidden, 1),
            "beam": translate(model, ids, target, forbidden, 4)})
    return result


def main():
    pieces = sentencepiece_model()
    model = random_model()
    (FOLDER / "m2m100.model").write_bytes(pieces)
    with torch.no_grad():
        logits = model(input_ids=SOURCE, attention_mask=(SOURCE != PAD).long(),
                       decoder_input_ids=torch.cat([torch.full((2, 1), EOS), TARGET], 1)).logits
    tied = ("lm_head.weight", "model.encoder.embed_tokens.weight",
            "model.decoder.embed_tokens.weight")
    tensors = {"weights/" + name: tensor.clone() for name, tensor in model.state_dict().items()
               if name not in tied}
    save_file(tensors | {"source": SOURCE, "target": TARGET, "logits": logits},
              FOLDER / "m2m100.safetensors", {"config": json.dumps(model.config.to_dict())})
    golden = {kind: cases(model, pieces, kind) for kind in ("m2m100", "nllb", "nllb_legacy")}
    (FOLDER / "m2m100.json").write_text(json.dumps(golden, ensure_ascii=True) + "\n")


main()
