#!/usr/bin/env bash
# A private PostgreSQL for tests and benchmarks: its own folder, its own port, nothing of the machine's.
#   bin/private-postgres.sh start FOLDER   prints DATABASE_URL
#   bin/private-postgres.sh stop FOLDER
#   bin/private-postgres.sh copy FROM_URL TO_URL   a dump of the one, restored into the other
set -euo pipefail
command=${1:?start, stop or copy}
folder=${2:?a folder, or the URL to copy from}
find_binaries() {
  for candidate in /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin; do
    [ -x "$candidate/initdb" ] && { echo "$candidate"; return; }
  done
  command -v initdb >/dev/null && { dirname "$(command -v initdb)"; return; }
  echo "No PostgreSQL server was found. On Debian: apt-get install postgresql" >&2
  exit 1
}
binaries=$(find_binaries)
# PostgreSQL refuses to run as root.
run() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
case $command in
  start)
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    [ "$(id -u)" = 0 ] && chown -R postgres "$folder"
    port=${PRIVATE_POSTGRES_PORT:-$(node -e "const s=require('node:net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})")}
    if [ ! -f "$folder/data/PG_VERSION" ]; then
      run "$binaries/initdb" -D "$folder/data" -U liquidity --auth=trust -E UTF8 --locale=C >"$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log" >&2; exit 1; }
    fi
    run "$binaries/pg_ctl" -D "$folder/data" -l "$folder/server.log" -w \
      -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$folder -c shared_buffers=512MB -c max_connections=${PRIVATE_POSTGRES_CONNECTIONS:-200}" \
      start >/dev/null
    echo "postgres://liquidity@127.0.0.1:$port/postgres"
    ;;
  stop) run "$binaries/pg_ctl" -D "$folder/data" -m fast stop >/dev/null ;;
  copy)
    # Roles belong to the server; that the one who restores exists there already is no error.
    "$binaries/pg_dumpall" --roles-only -d "$folder" | "$binaries/psql" -q -d "${3:?a URL to copy to}" >/dev/null 2>&1
    "$binaries/pg_dump" -d "$folder" | "$binaries/psql" -q -v ON_ERROR_STOP=1 -d "$3" >/dev/null
    ;;
  *) echo "start, stop or copy" >&2; exit 2 ;;
esac
