"""Models small enough to be made by a test: folders as exporters of sentence-transformers lay them out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

WIDTH = 32
CORPUS = [
    "the boundary layer of a plate thickens along a flat plate",
    "a recipe for sourdough bread and how to bake it in an oven",
    "cats sleep most of the day, and so do owls",
    "note number about tides bread locks owls rust one two three word query passage",
]


def make_embedder(folder: Path, *, seed: int = 1, **options: Any) -> Path:
    """A folder with an embedding model: a vector for each token, as `lookup` has it.

    `options`: `pooling` (a mode of sentence-transformers, None for no file that says so), `segments` (whether the network
    wants token_type_ids), `whole` (whether it pools by itself), `network` (the file), `prompts`, `window`, `lower`, `number`
    (TensorProto type of the inputs).
    """
    folder.mkdir(parents=True, exist_ok=True)
    size = make_tokenizer(folder)
    save(folder / options.get("network", "model.onnx"), lookup(size, seed, **options))
    pooling = options.get("pooling", "mean_tokens")
    if pooling is not None:
        write(
            folder / "1_Pooling" / "config.json", {"word_embedding_dimension": WIDTH, f"pooling_mode_{pooling}": True}
        )
    write(folder / "config.json", {"hidden_size": WIDTH, "max_position_embeddings": 514})
    sentence = {"max_seq_length": options.get("window", 256), "do_lower_case": options.get("lower", False)}
    write(folder / "sentence_bert_config.json", sentence)
    if "prompts" in options:
        write(folder / "config_sentence_transformers.json", {"prompts": options["prompts"]})
    return folder


def make_reranker(folder: Path, *, window: int = 128) -> Path:
    """A folder with a cross-encoder: two texts are the nearer the more tokens they share."""
    folder.mkdir(parents=True, exist_ok=True)
    size = make_tokenizer(folder)
    save(folder / "model.onnx", overlap(size))
    write(folder / "config.json", {"max_position_embeddings": window + 2, "num_labels": 1})
    return folder


def make_tokenizer(folder: Path) -> int:
    """A byte-level tokenizer with a mark before and after a text; how many tokens it knows."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<s>", "</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> $B:1 </s>:1", special_tokens=[("<s>", 0), ("</s>", 1)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return int(tokenizer.get_vocab_size())


def vectors(size: int, seed: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.random.default_rng(seed).normal(size=(size, WIDTH)).astype(np.float32)


def lookup(
    size: int, seed: int = 1, *, segments: bool = False, whole: bool = False, number: int = TensorProto.INT64, **_: Any
) -> onnx.ModelProto:
    """Gives each token its vector, and in segment 1 another; `whole`: the largest numbers of all of them."""
    constants = [numpy_helper.from_array(vectors(size, seed), "table")]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["tokens"])]
    inputs = ["input_ids", "attention_mask"]
    output = "tokens"
    if segments:
        constants.append(numpy_helper.from_array(vectors(2, seed + 1), "kinds"))
        nodes.append(helper.make_node("Gather", ["kinds", "token_type_ids"], ["kind"]))
        nodes.append(helper.make_node("Add", ["tokens", "kind"], ["both"]))
        inputs.append("token_type_ids")
        output = "both"
    name, shape = "last_hidden_state", ["batch", "length", WIDTH]
    if whole:
        nodes.append(helper.make_node("ReduceMax", [output], ["sentence_embedding"], axes=[1], keepdims=0))
        name, shape = "sentence_embedding", ["batch", WIDTH]
    else:
        nodes.append(helper.make_node("Identity", [output], [name]))
    return model(nodes, constants, inputs, (name, shape), number)


def overlap(size: int) -> onnx.ModelProto:
    """The product of the sums of the vectors of both texts, by the square root of the second's length."""
    constants = [
        numpy_helper.from_array(vectors(size, 3), "table"),
        numpy_helper.from_array(np.array([2], np.int64), "last"),
        numpy_helper.from_array(np.array(1, np.float32), "one"),
        numpy_helper.from_array(np.array(30, np.float32), "scale"),
    ]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["tokens"]),
        helper.make_node("Cast", ["token_type_ids"], ["flat"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["flat", "last"], ["second"]),
        helper.make_node("Sub", ["one", "second"], ["first"]),
        helper.make_node("Mul", ["tokens", "first"], ["of_first"]),
        helper.make_node("Mul", ["tokens", "second"], ["of_second"]),
        helper.make_node("ReduceMean", ["of_first"], ["query"], axes=[1], keepdims=0),
        helper.make_node("ReduceMean", ["of_second"], ["passage"], axes=[1], keepdims=0),
        helper.make_node("Mul", ["query", "passage"], ["product"]),
        helper.make_node("ReduceSum", ["product", "along"], ["sum"], keepdims=1),
        helper.make_node("Mul", ["sum", "scale"], ["logits"]),
    ]
    constants.append(numpy_helper.from_array(np.array([1], np.int64), "along"))
    return model(nodes, constants, ["input_ids", "attention_mask", "token_type_ids"], ("logits", ["batch", 1]))


def model(
    nodes: Sequence[NodeProto],
    constants: Sequence[TensorProto],
    inputs: Sequence[str],
    output: tuple[str, Sequence[int | str]],
    number: int = TensorProto.INT64,
) -> onnx.ModelProto:
    given = [helper.make_tensor_value_info(name, number, ["batch", "length"]) for name in inputs]
    answer = helper.make_tensor_value_info(output[0], TensorProto.FLOAT, output[1])
    graph = helper.make_graph(list(nodes), "small", given, [answer], list(constants))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def save(path: Path, network: onnx.ModelProto) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(network, path)


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
