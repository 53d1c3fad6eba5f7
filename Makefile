# `make run` starts Passform, `make test` proves it. Both prepare everything they need.
.PHONY: run test setup setup-run lint types imports check format lock locale bench kill fuzz package deb sbom audit coverage mutation pictures docs

PY := .venv/bin/python

run: setup-run
	$(PY) main.py --start

test: setup
	QT_QPA_PLATFORM=offscreen $(PY) -m pytest -n 2 --dist loadfile

setup:
	@scripts/setup.sh test

setup-run:
	@scripts/setup.sh run

lint: setup
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

types: setup
	$(PY) -m mypy

imports: setup
	.venv/bin/lint-imports

check: lint types imports test

format: setup
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

pictures: setup
	QT_QPA_PLATFORM=offscreen $(PY) -m scripts.make_pictures

# Renews what the documentation takes from the program: outputs, schemas, the picture of the architecture.
docs: setup
	$(PY) -m scripts.make_handbook
	$(PY) -m scripts.make_schemas
	$(PY) -m catalog.quote_schema >docs/quote.schema.json
	$(PY) -m scripts.make_architecture

locale: setup
	$(PY) -m scripts.sort_messages
	$(PY) resources/locale/build.py

# Rewrites the lock files from pyproject.toml; needs a network. Locked versions stay: `make lock UPGRADE=--upgrade` renews
# them all, `UPGRADE="--upgrade-package NAME"` one.
UV := build/lock-venv/bin/uv
COMPILE = $(UV) pip compile pyproject.toml $(UPGRADE) --universal --generate-hashes --no-annotate --no-header --python-version 3.11 -q

lock: setup-run
	@[ -x $(UV) ] || { $(PY) -m venv build/lock-venv && build/lock-venv/bin/python -m pip install --quiet uv; }
	$(COMPILE) -o requirements.lock
	$(COMPILE) --extra dev -c requirements.lock -o requirements-dev.lock
	$(COMPILE) --extra package -c requirements.lock -o requirements-package.lock

# Figures against the least that could do the same, and growth; writes benchmarks/results.json.
bench: setup
	$(PY) -m benchmarks.run --write

# No loss: 500 kills at random moments. No crash: 100,000 mutated files.
kill: setup
	$(PY) -m benchmarks.kill_harness --kills 500

fuzz: setup
	$(PY) -m benchmarks.fuzz.run

# The folder that users install, in dist/passform, tried by its own self-test.
package: setup-run
	packaging/package.sh

# The same as a Debian package, in dist/.
deb: package
	$(PY) packaging/debian.py

sbom: setup-run
	$(PY) packaging/sbom.py build/package

# Known weaknesses of what is packed; needs a network, and ends with 3 where no database answers.
audit: setup-run
	$(PY) packaging/audit.py

coverage: setup
	QT_QPA_PLATFORM=offscreen $(PY) -m coverage run -m pytest -q tests/engine tests/catalog tests/report tests/contract tests/e2e
	$(PY) -m coverage report

mutation: setup
	$(PY) -m benchmarks.mutation
