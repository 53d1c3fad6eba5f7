#!/usr/bin/env bash
# Builds dist/passform in an environment of its own that holds only what the program needs, and tries it.
set -euo pipefail
cd "$(dirname "$0")/.."
lock=requirements-package.lock
environment=build/package-venv
wanted=$(sha256sum "$lock" 2>/dev/null || shasum -a 256 "$lock")
if [ ! -f "$environment/.installed" ] || [ "$(cat "$environment/.installed")" != "$wanted" ]; then
  rm -rf "$environment"
  .venv/bin/python -m venv "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$lock"
  printf '%s' "$wanted" >"$environment/.installed"
fi
"$environment/bin/python" packaging/build.py --check "$@"
