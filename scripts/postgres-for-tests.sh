#!/usr/bin/env bash
# A temporary PostgreSQL for the tests of the register:
#   postgres-for-tests.sh start         installs PostgreSQL where it is missing, starts a cluster, prints its folder
#   postgres-for-tests.sh stop FOLDER   stops that cluster and removes it
# The cluster listens on a socket in its folder and on no network. Exit code 3: PostgreSQL is not here and cannot be
# installed, because this is not Debian or there are no administrator rights.
set -euo pipefail

say() { printf '%s\n' "$*" >&2; }

find_programs() {
  for folder in "$(dirname "$(command -v initdb 2>/dev/null || echo /nowhere/initdb)")" /usr/lib/postgresql/*/bin; do
    if [ -x "$folder/initdb" ] && [ -x "$folder/pg_ctl" ]; then printf '%s' "$folder"; return; fi
  done
  return 1
}

# Several test processes may get here at once; the first one installs for all.
install_programs() { (flock 9; find_programs >/dev/null || install_now) 9<"$0" || exit $?; }

install_now() {
  command -v apt-get >/dev/null 2>&1 || { say "there is no apt-get"; exit 3; }
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || { say "administrator rights are needed"; exit 3; }
    as_root=(sudo -n)
  fi
  say "Installing PostgreSQL for the tests"
  # Without a cluster of its own: the tests start one, and nobody else wants it.
  "${as_root[@]}" mkdir -p /etc/postgresql-common/createcluster.d
  printf 'create_main_cluster = false\n' |
    "${as_root[@]}" tee /etc/postgresql-common/createcluster.d/passform-tests.conf >/dev/null
  { "${as_root[@]}" apt-get update -q &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends postgresql; } >&2 ||
    { say "the package could not be installed"; exit 3; }
}

# PostgreSQL refuses to run as root.
as_owner() {
  if [ "$(id -u)" = 0 ]; then (cd / && setpriv --reuid=postgres --regid=postgres --clear-groups "$@"); else "$@"; fi
}

start() {
  programs=$(find_programs) || { install_programs; programs=$(find_programs); }
  folder=$(mktemp -d -t passform-pg-XXXXXX)
  [ "$(id -u)" != 0 ] || chown postgres:postgres "$folder"
  as_owner "$programs/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >/dev/null
  as_owner "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -w -s \
    -o "-c listen_addresses='' -c unix_socket_directories='$folder' -c max_connections=60 -c fsync=off" start >/dev/null
  printf '%s\n' "$folder"
}

stop() {
  case "$(basename "$1")" in passform-pg-*) ;; *) say "not a folder of these tests: $1"; exit 2 ;; esac
  programs=$(find_programs)
  as_owner "$programs/pg_ctl" -D "$1/data" -m immediate -s stop
  rm -rf "$1"
}

case "${1:-}" in
  start) start ;;
  stop) stop "${2:?folder}" ;;
  *) say "usage: $0 start | stop FOLDER"; exit 2 ;;
esac
