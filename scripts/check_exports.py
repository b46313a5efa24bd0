#!/usr/bin/env python3
"""Compares the translations of exported models with those of tfm, line by line.

Three small models are trained on data/cafe: pre-norm, post-norm with two vocabularies, and
post-norm with one. The last is exported, imported and exported again. Transformers' greedy
translations must equal those of `tfm translate --beam-size 1`, and so must those of Argos
Translate, with a beam of 1 and in fp32. A toolkit that this Python lacks is skipped. Argos
Translate's splitter of sentences would be fetched from the network and is replaced: a line is one
sentence.

Usage: PYTHON scripts/check_exports.py [build/release/tfm [FOLDER]]
(from the repository's root; pip install torch transformers sentencepiece sacremoses, and
argostranslate or argos-translate-lt). Models in FOLDER (default build/check_exports) are reused.
Verified with transformers 5.24.0, torch 2.13.0, argostranslate 1.11.0 and argos-translate-lt
1.12.1; other versions may differ.
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


def translate(folder):
    lines = FOLDER / "lines.de"
    own = Path("data/cafe/test.de").read_text(encoding="utf-8").splitlines()
    lines.write_text("\n".join(own + UNUSUAL) + "\n", encoding="utf-8")
    output = FOLDER / "lines.en"
    # The toolkits do not limit a translation by the length of the source.
    tfm("translate", "-m", folder, "--beam-size", 1, "--precision", "fp32", "--max-length-factor",
        1000, "--input", lines, "--output", output)
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
    lines, expected = translate(folder)
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
    lines, expected = translate(folder)
    found = [argos.translate(line, "de", "en") for line in lines]
    # Argos Translate writes every underscore as a space.
    expected = [line.replace("_", " ") for line in expected]
    return report(name, "Argos Translate", found, expected, lines)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    checks = [check for module, check in [("transformers", check_transformers),
                                          ("argostranslate", check_argos)]
              if importlib.util.find_spec(module)]
    if not checks:
        sys.exit("this Python has neither transformers nor argostranslate")
    folders = {name: train(name, settings) for name, settings in MODELS.items()}
    imported = FOLDER / "imported"
    shutil.rmtree(imported, ignore_errors=True)
    tfm("import", export(folders["post"], "huggingface", "post.huggingface"), "-o", imported)
    folders["imported"] = imported
    results = [check(name, folder) for check in checks for name, folder in folders.items()]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
