#!/usr/bin/env bash
# Asks the public advisory database about every package of the lock; 1 when a weakness is known. Needs a network.
set -euo pipefail
cd "$(dirname "$0")/.."
environment=build/audit-venv
if [ ! -x "$environment/bin/pip-audit" ]; then
  .venv/bin/python -m venv "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check "pip-audit>=2.9"
fi
"$environment/bin/pip-audit" --disable-pip --require-hashes --strict -r requirements.lock "$@"
