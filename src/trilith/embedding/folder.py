"""An embedder that the owner of a library has put into a folder: any ONNX export of a sentence-transformers model.

    tokenizer.json                     required
    model.onnx, onnx/model.onnx, ...   required: token vectors, or `sentence_embedding`
    modules.json, 1_Pooling/config.json  how token vectors become one, unless the network pools by itself
    sentence_bert_config.json          `max_seq_length`, `do_lower_case`
    config_sentence_transformers.json  `prompts`, by `query` and by `document` or `passage`
    config.json                        `hidden_size`, where nothing above says the width

Vectors are made to have length one, whether the folder lists a module for that or not: nothing but their angles is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from trilith.embedding.anynetwork import AnyNetwork, load_any
from trilith.embedding.background import checkpoint
from trilith.embedding.files import Files, described, find_files, window_of
from trilith.embedding.loaded import LoadedEmbedder
from trilith.embedding.local import half_the_processors
from trilith.embedding.manifest import ModelUnusable
from trilith.embedding.network import give_way
from trilith.embedding.parts import Part, Parts
from trilith.embedding.pooling import Pooling, modules_beside, read_pooling
from trilith.embedding.probes import measured
from trilith.ports.embedding import Floats

WHOLE = "sentence_embedding"
"""The output of a network that pools by itself."""
OUTPUTS = (WHOLE, "last_hidden_state", "token_embeddings")
PASSAGE_PROMPTS = ("document", "passage", "corpus")


@dataclass(frozen=True, slots=True)
class Prompts:
    """What is put before a text."""

    query: str = ""
    passage: str = ""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """What a folder says of its model, before anything is loaded."""

    files: Files
    pooling: Pooling
    prompts: Prompts
    width: int
    window: int
    lower: bool

    @property
    def identity(self) -> str:
        return self.files.identity(self.pooling, self.prompts, self.width, self.window, self.lower)


def read_folder(folder: Path, network: str | None = None) -> ModelFolder:
    """`network`: the network's file within the folder, where the owner has chosen it.

    Raises `ModelUnusable`, which names the file that is missing, or what in it cannot be used.
    """
    files = find_files(folder, network)
    pooling = read_pooling(folder)
    if pooling.width is None:
        raise ModelUnusable(
            f"{folder} does not say how long its vectors are: config.json with a hidden_size is missing."
        )
    return ModelFolder(
        files=files,
        pooling=pooling,
        prompts=_prompts(folder),
        width=pooling.width,
        window=window_of(folder),
        lower=described(folder, "sentence_bert_config.json").get("do_lower_case") is True,
    )


def folder_embedder(folder: Path, network: str | None = None, threads: int | None = None) -> LoadedEmbedder:
    """The embedder of a folder, whatever state that is in: what is wrong with it is told by its status."""
    try:
        model = read_folder(folder, network)
    except ModelUnusable as error:
        flaw = str(error)
        return LoadedEmbedder(f"{folder.name}@none", 1, Parts(folder / "none", 256), _refused(flaw), flaw=flaw)
    tokens = Parts(model.files.tokenizer, model.window, lower=model.lower)

    def load() -> FolderEncoder:
        return _load(model, tokens, threads or half_the_processors())

    return LoadedEmbedder(model.identity, model.width, tokens, load, measure=measured)


class FolderEncoder:
    """Texts go through one by one, each on one thread, several side by side, as in `Network`."""

    def __init__(self, model: ModelFolder, tokens: Parts, network: AnyNetwork, threads: int) -> None:
        self._model = model
        self._tokens = tokens
        self._network = network
        self._threads = threads

    def passages(self, texts: Sequence[str]) -> Floats:
        return self._vectors([self._model.prompts.passage + text for text in texts])

    def queries(self, texts: Sequence[str]) -> Floats:
        return self._vectors([self._model.prompts.query + text for text in texts])

    def _vectors(self, texts: Sequence[str]) -> Floats:
        encoded = self._tokens.encode(texts)
        if len(encoded) == 1:
            vectors = [self._vector(parts) for parts in encoded]
        else:
            with ThreadPoolExecutor(self._threads, initializer=give_way) as pool:
                vectors = list(pool.map(self._vector, encoded))
        return np.array(vectors, np.float32).reshape(len(texts), self._model.width)

    def _vector(self, parts: Sequence[Part]) -> Floats:
        """Of a text beyond the window: the mean of its parts, each by its length, so that nothing of it is lost."""
        return _unit(sum(len(part.ids) * _unit(self._one(part)) for part in parts))  # type: ignore[arg-type]

    def _one(self, part: Part) -> Floats:
        answer = self._network.run(part)
        return answer if answer.ndim == 1 else self._model.pooling.pool(answer)


def _load(model: ModelFolder, tokens: Parts, threads: int) -> FolderEncoder:
    """Everything that takes time, step by step. Raises `ModelUnusable`."""
    tokens.encode(["warm"])
    checkpoint()
    network = load_any(model.files.network, OUTPUTS)
    _check(model, network)
    checkpoint()
    encoder = FolderEncoder(model, tokens, network, threads)
    width = len(encoder._one(tokens.encode(["warm"])[0][0]))
    if width != model.width:
        raise ModelUnusable(f"{model.files.network} gives {width} numbers, and its folder says {model.width}.")
    return encoder


def _check(model: ModelFolder, network: AnyNetwork) -> None:
    """Raises `ModelUnusable` when the network leaves something to be done that nobody does."""
    if network.output == WHOLE:
        return
    folder = model.files.folder
    if model.pooling.name is None:
        raise ModelUnusable(f"{folder} has no 1_Pooling/config.json, which says how token vectors become one.")
    others = modules_beside(folder)
    if others:
        raise ModelUnusable(f"{folder}/modules.json lists {', '.join(others)}, which its network does not have in it.")


def _prompts(folder: Path) -> Prompts:
    said = described(folder, "config_sentence_transformers.json")
    prompts = said.get("prompts") or {}
    if not isinstance(prompts, dict) or not all(isinstance(text, str) for text in prompts.values()):
        raise ModelUnusable(f"{folder}/config_sentence_transformers.json: 'prompts' must be an object of texts.")
    usual: str = prompts.get(said.get("default_prompt_name"), "")
    passage = next((prompts[name] for name in PASSAGE_PROMPTS if name in prompts), usual)
    return Prompts(prompts.get("query", usual), passage)


def _refused(flaw: str) -> Callable[[], FolderEncoder]:
    def load() -> FolderEncoder:
        raise ModelUnusable(flaw)

    return load


def _unit(vector: Floats) -> Floats:
    norm = float(np.linalg.norm(vector))
    if not np.isfinite(norm) or norm == 0.0:
        raise ValueError("the network has given a vector without a direction")
    unit: Floats = vector / np.float32(norm)
    return unit
