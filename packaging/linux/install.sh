#!/bin/sh
# Installs Passform for this user (~/.local), or for everybody when run as root (/opt and /usr/local).
# Another place: PREFIX=/some/place ./install.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ "$(id -u)" = 0 ]; then program=/opt/passform; prefix=${PREFIX:-/usr/local}
else program=${HOME}/.local/lib/passform; prefix=${PREFIX:-${HOME}/.local}
fi
[ -n "${PREFIX:-}" ] && program=$prefix/lib/passform

# A new copy beside the old one, then one step: an interrupted installation leaves the old program whole.
mkdir -p "$(dirname "$program")"
rm -rf "$program.new"
cp -R "$here" "$program.new"
rm -rf "$program.old"
[ -e "$program" ] && mv "$program" "$program.old"
mv "$program.new" "$program"
rm -rf "$program.old"

mkdir -p "$prefix/bin"
ln -sf "$program/passform" "$prefix/bin/passform"
(cd "$here/share" && find . -type f) | while read -r file; do
  mkdir -p "$prefix/share/$(dirname "$file")"
  cp "$here/share/$file" "$prefix/share/$file"
done
sed "s|^Exec=passform|Exec=\"$program/passform\"|" "$here/share/applications/passform.desktop" \
  >"$prefix/share/applications/passform.desktop"

refresh() { if command -v "$1" >/dev/null 2>&1; then "$@" >/dev/null 2>&1 || true; fi; }
refresh update-mime-database "$prefix/share/mime"
refresh update-desktop-database "$prefix/share/applications"
echo "Passform is installed in $program. To remove it: $program/uninstall.sh"
