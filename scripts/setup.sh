#!/usr/bin/env bash
# Prepares the environment: setup.sh run | test
# Creates .venv from the lock file with hashes and, on Debian and its relatives, installs what is missing
# in the system: Python's venv module and the libraries Qt's plugins link against.
set -euo pipefail
cd "$(dirname "$0")/.."
purpose=${1:-run}
lock=requirements.lock
[ "$purpose" = test ] && lock=requirements-dev.lock

say() { printf '%s\n' "$*" >&2; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null 2>&1; then sudo "$@"
  else say "Administrator rights are needed for: $*"; say "Run it as root, then start again."; exit 1
  fi
}

apt_install() {
  command -v apt-get >/dev/null 2>&1 || { say "Please install with your system's package manager: $*"; exit 1; }
  say "Installing system packages: $*"
  as_root apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

find_python() {
  for name in "${PYTHON:-}" python3.13 python3.12 python3.11 python3; do
    [ -n "$name" ] || continue
    if command -v "$name" >/dev/null 2>&1 &&
       "$name" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' 2>/dev/null; then
      printf '%s' "$name"; return
    fi
  done
  say "Passform needs Python 3.11 or newer. Install it, or name it: PYTHON=/path/to/python make $purpose"
  exit 1
}

python=$(find_python)
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
  minor=$("$python" -c 'import sys; print(f"{sys.version_info[0]}.{sys.version_info[1]}")')
  apt_install "python${minor}-venv"
fi

stamp=.venv/.installed-$purpose
wanted=$(sha256sum "$lock" 2>/dev/null || shasum -a 256 "$lock")
if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$wanted" ]; then
  [ -x .venv/bin/python ] || "$python" -m venv .venv
  say "Installing Python packages into .venv (once; needs a network)"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "$lock"
  printf '%s' "$wanted" >"$stamp"
fi

# Debian names of the libraries that the wheels' Qt links against, by shared object.
qt_packages() {
  cat <<'LIST'
libGL.so.1 libgl1
libEGL.so.1 libegl1
libxkbcommon.so.0 libxkbcommon0
libX11.so.6 libx11-6
libfontconfig.so.1 libfontconfig1
libfreetype.so.6 libfreetype6
libglib-2.0.so.0 libglib2.0-0
libgthread-2.0.so.0 libglib2.0-0
libdbus-1.so.3 libdbus-1-3
libzstd.so.1 libzstd1
libstdc++.so.6 libstdc++6
libgcc_s.so.1 libgcc-s1
libwayland-client.so.0 libwayland-client0
libwayland-cursor.so.0 libwayland-cursor0
libwayland-egl.so.1 libwayland-egl1
libX11-xcb.so.1 libx11-xcb1
libxkbcommon-x11.so.0 libxkbcommon-x11-0
libxcb-cursor.so.0 libxcb-cursor0
libxcb-icccm.so.4 libxcb-icccm4
libxcb-image.so.0 libxcb-image0
libxcb-keysyms.so.1 libxcb-keysyms1
libxcb-randr.so.0 libxcb-randr0
libxcb-render.so.0 libxcb-render0
libxcb-render-util.so.0 libxcb-render-util0
libxcb-shape.so.0 libxcb-shape0
libxcb-shm.so.0 libxcb-shm0
libxcb-sync.so.1 libxcb-sync1
libxcb-util.so.1 libxcb-util1
libxcb-xfixes.so.0 libxcb-xfixes0
libxcb-xkb.so.1 libxcb-xkb1
libxcb.so.1 libxcb1
LIST
}

if [ "$(uname -s)" = Linux ] && command -v apt-get >/dev/null 2>&1; then
  qt=$(.venv/bin/python -c 'import pathlib, importlib.util as u; print(pathlib.Path(u.find_spec("PySide6").origin).parent)')
  missing=$(ldd "$qt"/QtWidgets.abi3.so "$qt"/QtSvg.abi3.so "$qt"/Qt/plugins/platforms/libq{xcb,offscreen}.so 2>/dev/null |
    awk '/not found/ {print $1}' | sort -u)
  packages=""
  for library in $missing; do
    package=$(qt_packages | awk -v lib="$library" '$1 == lib {print $2}')
    [ -n "$package" ] && packages="$packages $package"
  done
  # Qt draws nothing readable without any font; the check costs a moment only where fontconfig is absent.
  if ! ls /usr/share/fonts/truetype/*/*.ttf >/dev/null 2>&1; then packages="$packages fonts-dejavu-core"; fi
  if [ -n "$packages" ]; then
    # shellcheck disable=SC2086,SC2046  # a list of names, one word each
    apt_install $(printf '%s\n' $packages | sort -u)
  fi
fi

.venv/bin/python resources/locale/build.py
