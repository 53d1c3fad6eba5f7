#!/usr/bin/env bash
# Builds and tries the macOS bundle and a disk image of it. Needs Python 3.11 or newer.
# Not run by .ci/run: it needs a Mac. To sign, set IDENTITY to the name of a "Developer ID Application" certificate.
set -euo pipefail
cd "$(dirname "$0")/.."

python3 -m venv build/package-venv
build/package-venv/bin/python -m pip install --quiet --require-hashes -r requirements-package.lock
build/package-venv/bin/python packaging/build.py --check

bundle=dist/Passform.app
[ -z "${IDENTITY:-}" ] || codesign --deep --force --options runtime --sign "$IDENTITY" "$bundle"
"$bundle/Contents/MacOS/passform" --selftest
hdiutil create -volname Passform -srcfolder "$bundle" -ov -format UDZO "dist/passform-$(cat resources/VERSION).dmg"
