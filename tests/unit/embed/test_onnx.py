"""onnx:FOLDER is used as the model's own files say: pooling, length, prefixes, modules."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.onnx_models import rows_of, write_model

from esens import Document, Reranker, Searcher
from esens.embed import embedder_of
from esens.embed.base import Vectors, _hash_of, at_unit_length, fingerprint_of, hash_of
from esens.embed.corpus import embed_corpus
from esens.embed.identity import identify
from esens.embed.model_folder import MAX_TOKENS, read_settings
from esens.errors import ModelError, TruncatedTextWarning

TEXT, TOKENS = "tea milk rum", ("[CLS]", "tea", "milk", "rum", "[SEP]")
POOLING = "1_Pooling/config.json"
FLAGS = ("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens", "weightedmean_tokens", "lasttoken")


def _pooling(*flags: str, **more: object) -> dict[str, object]:
    return {"word_embedding_dimension": 4} | {f"pooling_mode_{name}": name in flags for name in FLAGS} | more


def _modules(*kinds: str) -> list[dict[str, object]]:
    paths = {"Transformer": "", "Pooling": "1_Pooling"}
    return [
        {
            "idx": i,
            "name": str(i),
            "path": paths.get(kind, f"{i}_{kind}"),
            "type": f"sentence_transformers.models.{kind}",
        }
        for i, kind in enumerate(kinds)
    ]


def _documents(folder: Path, *texts: str) -> Vectors:
    return np.asarray(embedder_of(f"onnx:{folder}").embed_documents(texts))


def _unit(row: Any) -> Vectors:
    return at_unit_length(np.asarray([row], np.float32))


@pytest.mark.parametrize(
    ("flag", "expected"),
    [
        ("mean_tokens", lambda rows: rows.mean(axis=0)),
        ("mean_sqrt_len_tokens", lambda rows: rows.sum(axis=0) / np.sqrt(len(rows))),
        ("cls_token", lambda rows: rows[0]),
        ("lasttoken", lambda rows: rows[-1]),
        ("max_tokens", lambda rows: rows.max(axis=0)),
        ("weightedmean_tokens", lambda rows: np.average(rows, axis=0, weights=range(1, len(rows) + 1))),
    ],
)
def test_a_model_is_pooled_as_it_says(flag: str, expected: Any, tmp_path: Path) -> None:
    folder = write_model(tmp_path, settings={POOLING: _pooling(flag)})
    # A longer text beside it, so that padding would be seen if it counted.
    made = _documents(folder, TEXT, "tea milk rum mint mint mint")
    np.testing.assert_allclose(made[:1], _unit(expected(rows_of(*TOKENS))), atol=1e-6)


@pytest.mark.parametrize("mode", ["cls", ["cls"]])
def test_the_newer_files_name_the_pooling(mode: object, tmp_path: Path) -> None:
    folder = write_model(tmp_path, settings={POOLING: {"embedding_dimension": 4, "pooling_mode": mode}})
    np.testing.assert_allclose(_documents(folder, TEXT), _unit(rows_of("[CLS]")[0]), atol=1e-6)


def test_the_pooling_stands_where_the_modules_say(tmp_path: Path) -> None:
    modules = _modules("Transformer", "Pooling", "Normalize")
    modules[1]["path"] = "pooling"
    folder = write_model(
        tmp_path, settings={"modules.json": modules, "pooling/config.json": _pooling("cls_token")}
    )
    np.testing.assert_allclose(_documents(folder, TEXT), _unit(rows_of("[CLS]")[0]), atol=1e-6)


def test_a_folder_that_says_nothing_is_pooled_by_the_mean(tmp_path: Path) -> None:
    np.testing.assert_allclose(
        _documents(write_model(tmp_path), TEXT), _unit(rows_of(*TOKENS).mean(axis=0)), atol=1e-6
    )
    assert read_settings(tmp_path).max_tokens == MAX_TOKENS


@pytest.mark.parametrize(
    ("config", "says"),
    [
        (_pooling("cls_token", "mean_tokens"), "pooling is cls.mean"),
        (_pooling(), "pooling is none"),
        (_pooling(pooling_mode_attention=True), "pooling is attention"),
        ({"pooling_mode": "median"}, "pooling is median"),
    ],
)
def test_pooling_that_is_not_done_here_is_an_error_that_names_the_file(
    config: dict[str, object], says: str, tmp_path: Path
) -> None:
    write_model(tmp_path, settings={POOLING: config})
    with pytest.raises(ModelError, match=rf"1_Pooling.config\.json: {says}, and esens pools by mean or"):
        embedder_of(f"onnx:{tmp_path}")


@pytest.mark.parametrize("kind", ["Dense", "LSTM"])
def test_a_module_that_is_not_computed_is_an_error(kind: str, tmp_path: Path) -> None:
    modules = _modules("Transformer", "Pooling", kind, "Normalize")
    write_model(tmp_path, settings={"modules.json": modules, POOLING: _pooling("mean_tokens")})
    with pytest.raises(ModelError, match=rf"modules\.json: .*has {kind}, .*sentence-transformers:FOLDER"):
        embedder_of(f"onnx:{tmp_path}")


@pytest.mark.parametrize(
    "outputs",
    [
        {"sentence_embedding": "pooled"},
        {"token_embeddings": "hidden", "sentence_embedding": "pooled"},
        {"anything": "pooled"},
    ],
)
def test_a_model_that_pools_itself_is_taken_as_it_is(outputs: dict[str, str], tmp_path: Path) -> None:
    settings = {
        "modules.json": _modules("Transformer", "Pooling", "Dense"),
        POOLING: _pooling("cls_token", "lasttoken"),
    }
    folder = write_model(tmp_path, outputs=outputs, settings=settings)
    np.testing.assert_allclose(_documents(folder, TEXT), _unit(rows_of(*TOKENS).mean(axis=0)), atol=1e-6)


def test_a_model_gives_its_vectors_of_tokens_first(tmp_path: Path) -> None:
    folder = write_model(
        tmp_path,
        outputs={"last_hidden_state": "hidden", "pooler_output": "pooled"},
        settings={POOLING: _pooling("cls_token")},
    )
    np.testing.assert_allclose(_documents(folder, TEXT), _unit(rows_of("[CLS]")[0]), atol=1e-6)


@pytest.mark.parametrize(
    ("settings", "tokens"),
    [
        ({"sentence_bert_config.json": {"max_seq_length": 4}}, 4),
        ({"sentence_roberta_config.json": {"max_seq_length": 4}}, 4),
        (
            {
                "sentence_bert_config.json": {"max_seq_length": None},
                "tokenizer_config.json": {"model_max_length": 4},
            },
            4,
        ),
        ({"tokenizer_config.json": {"model_max_length": 512}, "config.json": {"max_position_embeddings": 4}}, 4),
        ({"tokenizer_config.json": {"model_max_length": 1e30}}, MAX_TOKENS),
        ({"tokenizer_config.json": {"model_max_length": 512}}, 512),
        (
            {"sentence_bert_config.json": {"max_seq_length": 9}, "tokenizer_config.json": {"model_max_length": 4}},
            9,
        ),
    ],
)
def test_so_many_tokens_are_read_as_the_model_says(settings: dict[str, Any], tokens: int, tmp_path: Path) -> None:
    assert read_settings(write_model(tmp_path, settings=settings)).max_tokens == tokens


def test_what_is_longer_is_cut_before_the_mark_of_the_end(tmp_path: Path) -> None:
    settings = {"sentence_bert_config.json": {"max_seq_length": 4}}
    folder = write_model(tmp_path, settings=settings)
    with pytest.warns(TruncatedTextWarning, match="longer than the 4 tokens"):
        made = _documents(folder, TEXT)
    np.testing.assert_allclose(made, _unit(rows_of("[CLS]", "tea", "milk", "[SEP]").mean(axis=0)), atol=1e-6)


@pytest.mark.parametrize("name", ["document", "passage"])
def test_prefixes_stand_before_queries_and_documents(name: str, tmp_path: Path) -> None:
    prompts = {"prompts": {"query": "query ", name: "passage "}, "default_prompt_name": None}
    folder = write_model(tmp_path, settings={"config_sentence_transformers.json": prompts})
    embedder = embedder_of(f"onnx:{folder}")
    for made, prefix in (
        (embedder.embed_queries(["tea"]), "query"),
        (embedder.embed_documents(["tea"]), "passage"),
    ):
        np.testing.assert_allclose(
            np.asarray(made), _unit(rows_of("[CLS]", prefix, "tea", "[SEP]").mean(axis=0)), atol=1e-6
        )


def test_a_default_prompt_stands_before_all(tmp_path: Path) -> None:
    config = {"prompts": {"mine": "query "}, "default_prompt_name": "mine"}
    settings = read_settings(write_model(tmp_path, settings={"config_sentence_transformers.json": config}))
    assert (settings.query_prefix, settings.document_prefix) == ("query ", "query ")


def test_a_prompt_that_must_not_be_pooled_is_an_error(tmp_path: Path) -> None:
    prompts = {"prompts": {"query": "query "}}
    settings = {
        "config_sentence_transformers.json": prompts,
        POOLING: _pooling("mean_tokens", include_prompt=False),
    }
    write_model(tmp_path, settings=settings)
    with pytest.raises(ModelError, match="include_prompt is false"):
        embedder_of(f"onnx:{tmp_path}")


def test_capitals_do_not_count_where_the_model_says_so(tmp_path: Path) -> None:
    folder = write_model(tmp_path, settings={"sentence_bert_config.json": {"do_lower_case": True}})
    np.testing.assert_array_equal(_documents(folder, "TEA Milk"), _documents(folder, "tea milk"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("modules.json", "{"),
        ("modules.json", "{}"),
        (POOLING, "[]"),
        ("sentence_bert_config.json", "nothing"),
        ("config_sentence_transformers.json", '{"prompts": {"query": 5}}'),
    ],
)
def test_a_damaged_file_is_named(name: str, content: str, tmp_path: Path) -> None:
    write_model(tmp_path, settings={name: content})
    with pytest.raises(ModelError, match=Path(name).name):
        embedder_of(f"onnx:{tmp_path}")


def test_a_fingerprint_changes_with_everything_that_changes_vectors(tmp_path: Path) -> None:
    prompts = "config_sentence_transformers.json"
    settings: list[dict[str, Any]] = [
        {},
        {POOLING: _pooling("cls_token")},
        {POOLING: _pooling("lasttoken")},
        {"sentence_bert_config.json": {"max_seq_length": 12}},
        {"sentence_bert_config.json": {"do_lower_case": True}},
        {prompts: {"prompts": {"query": "query "}}},
        {prompts: {"prompts": {"document": "query "}}},
    ]
    folders = [write_model(tmp_path / str(i), settings=files) for i, files in enumerate(settings)]
    prints = [fingerprint_of(embedder_of(f"onnx:{folder}")) for folder in folders]
    assert len(set(prints)) == len(prints)
    usual = write_model(tmp_path / "usual", settings={POOLING: _pooling("mean_tokens")})
    assert fingerprint_of(embedder_of(f"onnx:{usual}")) == prints[0]
    # Vectors that were made before these files were read stay valid: the mean over 256 tokens.
    assert set(json.loads(str(prints[0]))) == {"version", "embedder", "model", "tokenizer", "max_tokens"}


def test_equal_texts_have_equal_vectors_whatever_is_pooled_with_them(tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    long = " ".join(["mint"] * 40)
    vectors = [
        _documents(folder, "tea milk", *others)[0] for others in ((), ("rum",), ("tea rum mint",), (long, long))
    ]
    assert all(np.array_equal(vectors[0], other) for other in vectors)


def test_a_tokenizer_of_another_model_is_an_error_that_names_both(tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["model"]["vocab"]["coffee"] = 99  # the model has ten tokens
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(
        ModelError, match=r"model\.onnx: onnxruntime cannot run it .*its tokenizer belong together"
    ):
        _documents(folder, "coffee")


def test_inputs_that_no_text_model_has_are_an_error(tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    model = (folder / "model.onnx").read_bytes()
    (folder / "model.onnx").write_bytes(model.replace(b"attention_mask", b"pixel_values__"))
    with pytest.raises(ModelError, match="this one reads input_ids, pixel_values__; export it again"):
        embedder_of(f"onnx:{folder}")


def test_files_are_hashed_once_a_process_and_again_when_they_change(tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    model = folder / "model.onnx"
    _hash_of.cache_clear()
    first = identify(embedder_of(f"onnx:{folder}"))
    assert _hash_of.cache_info().misses == 2  # the model and the tokenizer
    assert hash_of(model) == hashlib.sha256(model.read_bytes()).hexdigest()
    assert identify(embedder_of(f"onnx:{folder}")) == first
    assert _hash_of.cache_info().misses == 2
    write_model(tmp_path, outputs={"other": "hidden"})
    assert identify(embedder_of(f"onnx:{folder}")) != first


# The warning about long texts.


def test_a_corpus_says_how_many_are_cut_and_which(tmp_path: Path) -> None:
    folder = write_model(tmp_path, settings={"sentence_bert_config.json": {"max_seq_length": 4}})
    corpus = [Document(f"d{i}", "tea milk rum" if i % 2 else "tea") for i in range(300)]
    with pytest.warns(TruncatedTextWarning) as heard:
        embed_corpus(corpus, embedder_of(f"onnx:{folder}"))
    (warning,) = heard  # one, although 300 documents are embedded in several goes
    said = str(warning.message)
    assert said.startswith("150 of 300 texts are longer than the 4 tokens that the model reads: d1, d3, d5, ….")
    for option in ("esens index --passage-words N", "words=N of esens.build_index", "esens.ingest.passages_of"):
        assert option in said


def test_one_long_text_is_named_alone(tmp_path: Path) -> None:
    folder = write_model(tmp_path, settings={"sentence_bert_config.json": {"max_seq_length": 4}})
    with pytest.warns(TruncatedTextWarning, match=r"1 of 2 texts is longer than the 4 tokens .*: a\. What"):
        Searcher.from_documents([{"id": "a", "text": TEXT}, {"id": "b", "text": "tea"}], embedder=f"onnx:{folder}")


def test_candidates_that_are_reranked_query_by_query_are_warned_of_once(tmp_path: Path) -> None:
    folder = write_model(tmp_path, settings={"sentence_bert_config.json": {"max_seq_length": 4}})
    reranker = Reranker(embedder=f"onnx:{folder}")
    messages = set()
    for number in range(3):
        with pytest.warns(TruncatedTextWarning, match="some texts are longer than the 4 tokens") as heard:
            reranker.rerank("tea", [{"id": f"d{number}", "text": TEXT}])
        messages |= {str(warning.message) for warning in heard}
    assert len(messages) == 1  # Python shows a message once, unless a filter says otherwise
