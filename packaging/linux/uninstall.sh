#!/bin/sh
# Removes the program. Consultations, own prices and settings stay where they are.
set -eu
program=$(cd "$(dirname "$0")" && pwd)
if [ ! -x "$program/passform" ] || [ ! -d "$program/_internal" ]; then
  echo "This is not an installed Passform; nothing was removed." >&2
  exit 1
fi
case $program in
  /opt/passform) prefix=${PREFIX:-/usr/local} ;;
  *) prefix=$(dirname "$(dirname "$program")") ;;
esac
rm -f "$prefix/bin/passform"
(cd "$program/share" && find . -type f) | while read -r file; do rm -f "$prefix/share/$file"; done
refresh() { if command -v "$1" >/dev/null 2>&1; then "$@" >/dev/null 2>&1 || true; fi; }
refresh update-mime-database "$prefix/share/mime"
refresh update-desktop-database "$prefix/share/applications"
cd /
rm -rf "$program"
data=${PASSFORM_DATA:-${XDG_DATA_HOME:-$HOME/.local/share}/passform}
echo "Passform is removed. Your consultations stay where you saved them; own prices and settings stay in $data."
