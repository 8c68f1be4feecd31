"""Models that an owner has put into a folder."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from tests.models import WIDTH, lookup, make_embedder, model, save, vectors, write
from tokenizers import Tokenizer

from trilith.embedding.folder import folder_embedder, read_folder
from trilith.embedding.manifest import ModelUnusable
from trilith.embedding.parts import Parts
from trilith.errors import Unavailable
from trilith.model.hits import EngineState

POOLS: dict[str, Callable[[Any], Any]] = {
    "mean_tokens": lambda tokens: tokens.mean(axis=0),
    "cls_token": lambda tokens: tokens[0],
    "max_tokens": lambda tokens: tokens.max(axis=0),
    "lasttoken": lambda tokens: tokens[-1],
}


def token_vectors(folder: Path, text: str) -> Any:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return vectors(tokenizer.get_vocab_size(), 1)[tokenizer.encode(text).ids]


def embedded(folder: Path, text: str, file: str | None = None) -> Any:
    embedder = folder_embedder(folder, file)
    assert embedder.wait(30).state is EngineState.OK, embedder.status()
    return embedder.embed([text])[0]


def refusal(folder: Path, file: str | None = None) -> str:
    """What an unusable folder's embedder says; it harms nobody."""
    embedder = folder_embedder(folder, file)
    status = embedder.wait(30)
    assert status.state is EngineState.DEGRADED
    with pytest.raises(Unavailable):
        embedder.embed_query("text")
    return str(status.reason)


def unit(vector: Any) -> Any:
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize("pooling", POOLS)
@pytest.mark.parametrize("segments", [False, True])
def test_tokens_are_pooled_as_the_folder_says(tmp_path: Path, pooling: str, segments: bool) -> None:
    folder = make_embedder(tmp_path / "m", pooling=pooling, segments=segments)
    tokens = token_vectors(folder, "cats sleep") + (vectors(2, 2)[0] if segments else 0)
    assert embedded(folder, "cats sleep") == pytest.approx(unit(POOLS[pooling](tokens)), abs=1e-5)


def test_a_pooling_is_read_in_the_newer_spelling_and_where_modules_json_has_it(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path / "m", pooling=None)
    write(folder / "modules.json", [{"type": "sentence_transformers.models.Pooling", "path": "2_Other"}])
    write(folder / "2_Other" / "config.json", {"embedding_dimension": WIDTH, "pooling_mode": "cls"})
    assert embedded(folder, "cats") == pytest.approx(unit(token_vectors(folder, "cats")[0]), abs=1e-5)


def test_a_network_that_pools_by_itself_needs_no_word_on_it(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path / "m", pooling=None, whole=True)
    assert embedded(folder, "cats") == pytest.approx(unit(token_vectors(folder, "cats").max(axis=0)), abs=1e-5)


def test_whole_numbers_may_be_of_32_bits(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path / "m", number=TensorProto.INT32)
    assert np.linalg.norm(embedded(folder, "cats")) == pytest.approx(1)


@pytest.mark.parametrize("place", ["onnx/model.onnx", "onnx/model_quantized.onnx", "model_int8.onnx"])
def test_the_network_is_found_where_exporters_put_it(tmp_path: Path, place: str) -> None:
    assert embedded(make_embedder(tmp_path / "m", network=place), "cats").shape == (WIDTH,)


def test_of_several_networks_one_must_be_named(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path / "m", network="onnx/model_int8.onnx")
    make_embedder(folder, network="onnx/model_fp16.onnx", seed=2)
    assert "onnx/model_fp16.onnx, onnx/model_int8.onnx" in refusal(folder)
    assert "by `file`" in refusal(folder)
    one, other = (embedded(folder, "cats", f"onnx/model_{kind}.onnx") for kind in ("int8", "fp16"))
    assert not np.allclose(one, other)
    assert "onnx/none.onnx" in refusal(folder, "onnx/none.onnx")


def test_prompts_stand_before_queries_and_passages(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path / "m", prompts={"query": "query: ", "passage": "passage: "})
    plain = make_embedder(tmp_path / "plain")
    embedder, bare = folder_embedder(folder), folder_embedder(plain)
    assert (embedder.wait(30).state, bare.wait(30).state) == (EngineState.OK, EngineState.OK)
    assert np.array_equal(embedder.embed_query("cats"), bare.embed_query("query: cats"))
    assert np.array_equal(embedder.embed(["cats"]), bare.embed(["passage: cats"]))
    assert embedder.model != bare.model


def test_nothing_of_a_text_beyond_the_window_is_lost(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path / "m", window=16)
    short, long = embedded(folder, "cats " * 10), embedded(folder, "cats " * 40 + "sourdough bread")
    assert np.linalg.norm(long) == pytest.approx(1)
    assert not np.allclose(short, long)
    tokens = Parts(folder / "tokenizer.json", 16)
    (parts,) = tokens.encode(["cats " * 40 + "sourdough bread"])
    assert len(parts) > 2
    assert all(len(part.ids) <= 16 and part.ids[0] == 0 and part.ids[-1] == 1 for part in parts)
    assert tokens.count(["cats " * 40])[0] > 16


@pytest.mark.parametrize(
    ("said", "window"),
    [
        ({"sentence_bert_config.json": {"max_seq_length": 128}}, 128),
        ({"sentence_bert_config.json": {}, "tokenizer_config.json": {"model_max_length": 256}}, 256),
        ({"sentence_bert_config.json": {}, "tokenizer_config.json": {"model_max_length": 10**30}}, 512),
        ({"sentence_bert_config.json": {"max_seq_length": None}, "config.json": {"hidden_size": 32}}, 512),
    ],
)
def test_the_window_is_what_the_sentence_model_says(tmp_path: Path, said: dict[str, Any], window: int) -> None:
    folder = make_embedder(tmp_path / "m")
    for name, fields in said.items():
        write(folder / name, fields)
    assert read_folder(folder).window == window


def without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def holding(name: str, text: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_text(text, "utf-8") and None


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (without("tokenizer.json"), "has no tokenizer.json"),
        (without("model.onnx"), "has no network: no model.onnx, onnx/model.onnx"),
        (without("1_Pooling/config.json"), "has no 1_Pooling/config.json"),
        (holding("1_Pooling/config.json", "{"), "is not valid JSON"),
        (holding("1_Pooling/config.json", "[]"), "does not hold a JSON object"),
        (holding("1_Pooling/config.json", '{"pooling_mode_mean_tokens": false}'), "pooling by none at all"),
        (
            holding("1_Pooling/config.json", '{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": true}'),
            "pooling by mean_tokens and cls_token",
        ),
        (holding("1_Pooling/config.json", '{"pooling_mode": "mean", "include_prompt": false}'), "prompts"),
        (holding("1_Pooling/config.json", '{"pooling_mode": "mean", "embedding_dimension": 7}'), "gives 32 numbers"),
        (holding("modules.json", '[{"type": "x.Dense", "path": "2_Dense"}]'), "lists Dense"),
        (holding("config_sentence_transformers.json", '{"prompts": ["a"]}'), "'prompts' must be an object of texts"),
        (holding("tokenizer.json", "{}"), "cannot be loaded"),
        (holding("model.onnx", "none"), "cannot be loaded"),
    ],
)
def test_i02_what_is_missing_in_a_folder_is_named(tmp_path: Path, spoil: Callable[[Path], None], said: str) -> None:
    """A path option; fails fast, and says what is wrong."""
    folder = make_embedder(tmp_path / "m")
    spoil(folder)
    assert said in refusal(folder)
    assert str(folder) in refusal(folder)


def test_a_folder_that_is_not_there_and_one_without_a_width(tmp_path: Path) -> None:
    assert "There is no folder" in refusal(tmp_path / "none")
    folder = make_embedder(tmp_path / "m", pooling=None)
    write(folder / "config.json", {})
    assert "hidden_size" in refusal(folder)


def test_an_input_that_nobody_can_give_is_named(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path / "m")
    node = helper.make_node("Cast", ["pixel_values"], ["last_hidden_state"], to=TensorProto.FLOAT)
    save(folder / "model.onnx", model([node], [], ["pixel_values"], ("last_hidden_state", ["a", "b"])))
    assert "wants an input 'pixel_values'" in refusal(folder)


def test_s17_the_identity_follows_all_that_shapes_a_vector(tmp_path: Path) -> None:
    """Detect by stored model id + width; a copy of the same files elsewhere is the same model."""
    first = make_embedder(tmp_path / "a" / "m")
    assert read_folder(first).identity == read_folder(make_embedder(tmp_path / "b" / "m")).identity
    others = {
        "weights": {"seed": 2},
        "pooling": {"pooling": "max_tokens"},
        "window": {"window": 64},
        "prompts": {"prompts": {"query": "q "}},
        "segments": {"segments": True},
        "lower": {"lower": True},
    }
    identities = {
        read_folder(make_embedder(tmp_path / name / "m", **options)).identity for name, options in others.items()
    }
    assert len(identities | {read_folder(first).identity}) == len(others) + 1


def test_of_a_large_network_every_part_counts(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path / "m")
    network = lookup(600)
    network.doc_string = "x" * 9_000_000
    onnx.save(network, folder / "model.onnx")
    before = read_folder(folder).identity
    data = bytearray((folder / "model.onnx").read_bytes())
    data[: len(data) // 2] = bytes(len(data) // 2)
    (folder / "model.onnx").write_bytes(data)
    assert read_folder(folder).identity != before


def test_nothing_heavy_is_imported_before_it_is_needed(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path / "m")
    code = f"""
import sys
from pathlib import Path
from trilith.embedding.folder import folder_embedder
embedder = folder_embedder(Path({json.dumps(str(folder))}))
embedder.model, embedder.width, embedder.tokens.window, embedder.status()
assert not {{"onnxruntime", "tokenizers"}} & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_its_cosines_mean_is_measured_once_it_is_loaded(tmp_path: Path) -> None:
    embedder = folder_embedder(make_embedder(tmp_path / "m"))
    assert embedder.likeness is None
    assert embedder.wait(30).state is EngineState.OK
    assert embedder.likeness is not None
    assert -1 <= embedder.likeness.unrelated <= 1


def test_a_model_is_unusable_by_its_own_name(tmp_path: Path) -> None:
    with pytest.raises(ModelUnusable, match=r"has no tokenizer\.json"):
        read_folder(tmp_path)
