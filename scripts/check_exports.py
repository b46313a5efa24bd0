#!/usr/bin/env python3
"""Compares the translations of exported models with those of tfm, line by line.

Small models are trained on data/cafe: pre-norm, post-norm with two vocabularies, post-norm with
one, and one of Marian's kind. One is exported to Transformers, imported and exported again, and
Marian's is exported, imported and exported again, too. Greedy translations in fp32 by Transformers,
Argos Translate, CTranslate2 and Marian must equal those of `tfm translate --beam-size 1`. A toolkit
that this Python lacks is skipped. Argos Translate's splitter of sentences would be fetched from the
network and is replaced: a line is one sentence.

Usage: PYTHON scripts/check_exports.py [build/release/tfm [FOLDER]]
(from the repository's root; scripts/check exports installs the toolkits and calls it). Models in
FOLDER (default build/check_exports) are reused. Verified with the versions that
scripts/requirements_exports.txt names; others may differ.
"""
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

TFM = sys.argv[1] if len(sys.argv) > 1 else "build/release/tfm"
FOLDER = Path(sys.argv[2] if len(sys.argv) > 2 else "build/check_exports")
TRAIN = ["training.max_steps=400", "training.warmup_steps=100", "training.learning_rate=0.002"]
MODELS = {
    "pre": [],
    "two": ["model.norm_order=post", "model.tied_embeddings=decoder", "tokenizer.joint=false",
            "tokenizer.vocab_size=1000", "model.activation=silu"],
    "post": ["model.norm_order=post", "model.tied_output_bias=true", "tokenizer.algorithm=unigram",
             "tokenizer.byte_fallback=true"],
}
MARIAN = ["model.norm_order=post", "model.zero_start=true", "model.norm_epsilon=1e-6",
          "model.positions=sinusoidal_halves", "model.tied_output_bias=true"]
# Text that the tokenizers must treat alike: unknown characters, spaces, markup, other scripts.
UNUSUAL = ["Ein ☃ bitte!", "  zwei   Kaffee  ", "ICH MÖCHTE EIN BIER", "1,5 l & <b>Tee</b>",
           "日本語 und 😀", "a_b ▁ c", "Kaffee\u00a0und ﬁsch", "…", "»Guten Tag« – sagte er."]


def tfm(*arguments):
    command = [TFM, *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")


def train(name, settings):
    folder = FOLDER / name
    if not (folder / "model.safetensors").exists():
        print(f"training {name}", flush=True)
        tfm("train", "--config", "configs/demo.yaml", f"training.run_folder={folder}", *TRAIN,
            *settings)
    return folder


# Only Marian limits a translation by the length of the source.
UNLIMITED = ("--max-length-factor", 1000)


def translate(folder, *options):
    lines = FOLDER / "lines.de"
    own = Path("data/cafe/test.de").read_text(encoding="utf-8").splitlines()
    lines.write_text("\n".join(own + UNUSUAL) + "\n", encoding="utf-8")
    output = FOLDER / "lines.en"
    tfm("translate", "-m", folder, "--beam-size", 1, "--precision", "fp32", *options, "--input",
        lines, "--output", output)
    return lines.read_text(encoding="utf-8").split("\n")[:-1], output.read_text(
        encoding="utf-8").split("\n")[:-1]


def export(folder, toolkit, name):
    output = FOLDER / name
    if output.is_dir():
        shutil.rmtree(output)
    output.unlink(missing_ok=True)
    tfm("export", "--format", toolkit, "-m", folder, "-o", output)
    return output


def report(name, toolkit, found, expected, lines):
    equal = sum(a == b for a, b in zip(found, expected, strict=True))
    print(f"{name}: {equal} of {len(expected)} translations of {toolkit} are equal", flush=True)
    for line, a, b in zip(lines, found, expected):
        if a != b:
            print(f"  {line!r}\n    {toolkit}: {a!r}\n    tfm: {b!r}")
    return equal == len(expected)


def check_transformers(name, folder):
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    exported = export(folder, "huggingface", f"{name}.huggingface")
    tokenizer = AutoTokenizer.from_pretrained(exported)
    model = AutoModelForSeq2SeqLM.from_pretrained(exported)
    lines, expected = translate(folder, *UNLIMITED)
    found = []
    for first in range(0, len(lines), 50):
        batch = tokenizer(lines[first:first + 50], return_tensors="pt", padding=True)
        ids = model.generate(**batch, num_beams=1)
        found += tokenizer.batch_decode(ids, skip_special_tokens=True)
    return report(name, type(model).__name__, found, expected, lines)


def use_packages(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.environ["ARGOS_PACKAGES_DIR"] = str(folder.resolve())
    os.environ["XDG_DATA_HOME"] = str(folder.resolve().parent / "argos")
    from argostranslate import sbd, settings

    settings.beam_size, settings.compute_type = 1, "float32"
    settings.package_data_dir, settings.package_dirs = folder, [folder]
    for splitter in sbd.ISentenceBoundaryDetectionModel.__subclasses__():
        splitter.__init__ = lambda self, package: None
        splitter.split_sentences = lambda self, text: [text]


def check_argos(name, folder):
    packages = FOLDER / "packages"
    use_packages(packages)
    from argostranslate import package, translate as argos

    package.install_from_path(export(folder, "argos", f"{name}.argosmodel"))
    argos.installed_translates.clear()
    argos.get_installed_languages.cache_clear()
    lines, expected = translate(folder, *UNLIMITED)
    found = [argos.translate(line, "de", "en") for line in lines]
    # Argos Translate writes every underscore as a space.
    expected = [line.replace("_", " ") for line in expected]
    return report(name, "Argos Translate", found, expected, lines)


def check_ctranslate2(name, folder):
    import ctranslate2
    from sentencepiece import SentencePieceProcessor

    exported = export(folder, "ctranslate2", f"{name}.ctranslate2")
    joint = exported / "joint.model"
    source, target = (SentencePieceProcessor(str(joint if joint.exists() else exported / side))
                      for side in ("source.model", "target.model"))
    translator = ctranslate2.Translator(str(exported), compute_type="float32")
    lines, expected = translate(folder, *UNLIMITED)
    results = translator.translate_batch(
        [source.encode_as_pieces(line) for line in lines], beam_size=1, disable_unk=True,
        suppress_sequences=[["<pad>"], ["<s>"]])
    found = [target.decode_pieces(result.hypotheses[0]) for result in results]
    return report(name, "CTranslate2", found, expected, lines)


def check_marian(name, folder):
    from pymarian import Translator
    from sentencepiece import SentencePieceProcessor

    exported = export(folder, "marian", f"{name}.marian")
    translator = Translator(config=str(exported / "decoder.yml"), beam_size=1, quiet=True,
                            cpu_threads=1)
    lines, expected = translate(folder)
    found = translator.translate(lines)
    # Both end at three times the length of the source, but tfm adds 10 tokens to that.
    pieces = SentencePieceProcessor(str(exported / "vocab.spm")).encode_as_pieces
    for i, (line, text) in enumerate(zip(lines, found)):
        if len(pieces(text)) >= 3 * len(pieces(line)) and expected[i].startswith(text):
            expected[i] = text
    return report(name, "Marian", found, expected, lines)


def reimport(folder, toolkit):
    imported = folder.with_name(f"{folder.name}_again")
    shutil.rmtree(imported, ignore_errors=True)
    tfm("import", export(folder, toolkit, f"{folder.name}.{toolkit}"), "-o", imported)
    return imported


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    common = [("transformers", check_transformers), ("argostranslate", check_argos),
              ("ctranslate2", check_ctranslate2)]
    marian = [("pymarian", check_marian)]
    results = []
    for models, again, toolkit, checks in [(MODELS, "post", "huggingface", common),
                                           ({"marian": MARIAN}, "marian", "marian", marian)]:
        checks = [check for module, check in checks if importlib.util.find_spec(module)]
        if not checks:
            continue
        folders = [train(name, settings) for name, settings in models.items()]
        folders.append(reimport(FOLDER / again, toolkit))
        results += [check(folder.name, folder) for check in checks for folder in folders]
    if not results:
        sys.exit("this Python has none of the toolkits")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
