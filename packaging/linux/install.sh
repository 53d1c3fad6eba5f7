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

mkdir -p "$prefix/bin" "$prefix/share/applications" "$prefix/share/mime/packages" \
  "$prefix/share/icons/hicolor/scalable/apps"
ln -sf "$program/passform" "$prefix/bin/passform"
sed "s|^Exec=passform|Exec=\"$program/passform\"|" "$here/share/passform.desktop" \
  >"$prefix/share/applications/passform.desktop"
cp "$here/share/passform-mime.xml" "$prefix/share/mime/packages/passform.xml"
cp "$here/share/passform.svg" "$prefix/share/icons/hicolor/scalable/apps/passform.svg"
refresh() { command -v "$1" >/dev/null 2>&1 && "$@" >/dev/null 2>&1 || true; }
refresh update-mime-database "$prefix/share/mime"
refresh update-desktop-database "$prefix/share/applications"
echo "Passform is installed in $program. To remove it: $program/uninstall.sh"
