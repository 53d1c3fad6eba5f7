#!/usr/bin/env bash
# Builds and tries the macOS bundle and a disk image of it. Needs Python 3.11 or newer (PYTHON names another one).
# Not run by .ci/run: it needs a Mac. To sign, set IDENTITY to the name of a "Developer ID Application" certificate; the
# image then still has to be notarised (xcrun notarytool submit, xcrun stapler staple), or other Macs refuse it.
set -euo pipefail
cd "$(dirname "$0")/.."

rm -rf build/package-venv
"${PYTHON:-python3}" -m venv build/package-venv
build/package-venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
  -r requirements-package.lock
# passform.spec reads IDENTITY: PyInstaller signs every library by itself, which `codesign --deep` does not do reliably.
build/package-venv/bin/python packaging/build.py --check

bundle=dist/Passform.app
codesign --verify --deep --strict "$bundle"
"$bundle/Contents/MacOS/passform" --selftest

# What a person drags: the program beside the folder it belongs in.
image=build/image
rm -rf "$image"
mkdir -p "$image"
cp -R "$bundle" "$image/"
ln -s /Applications "$image/Applications"
hdiutil create -volname Passform -srcfolder "$image" -ov -format UDZO "dist/passform-$(cat resources/VERSION).dmg"
